import {useCallback, useSyncExternalStore} from 'react'

/** Whether the window is at least this wide, in pixels. */
export function useRoom(width: number) {
	const query = `(min-width: ${width}px)`
	const subscribe = useCallback(
		(listener: () => void) => {
			const media = window.matchMedia(query)
			media.addEventListener('change', listener)
			return () => media.removeEventListener('change', listener)
		},
		[query]
	)
	return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
