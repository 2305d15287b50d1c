import {type RefObject, useEffect, useRef} from 'react'

/** Whether the component is still there, for what comes back later. */
export function useIsShown(): Readonly<RefObject<boolean>> {
	const isShown = useRef(true)
	useEffect(() => {
		// Strict mode unmounts once on trial.
		isShown.current = true
		return () => void (isShown.current = false)
	}, [])
	return isShown
}
