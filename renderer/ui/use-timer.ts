import {useEffect, useMemo} from 'react'

/** One thing at a time that comes later, and not once its component is gone. */
export function useTimer() {
	const timer = useMemo(() => {
		let id: ReturnType<typeof setTimeout> | undefined
		const stop = () => clearTimeout(id)
		return {
			stop,
			start: (ms: number, act: () => void) => {
				stop()
				id = setTimeout(act, ms)
			}
		}
	}, [])
	useEffect(() => timer.stop, [timer])
	return timer
}
