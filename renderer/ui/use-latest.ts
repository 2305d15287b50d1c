import {useLayoutEffect, useRef} from 'react'

/** As drawn last: a key or click right after acts on what is seen. */
export function useLatest<T>(value: T) {
	const latest = useRef(value)
	useLayoutEffect(() => {
		latest.current = value
	})
	return latest
}
