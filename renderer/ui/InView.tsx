import {useEffect, useRef, type ReactNode} from 'react'

/** Content that appears below the visible part, such as an error at the end of a long form, is scrolled into view. */
export function InView({children}: {children: ReactNode}) {
	const place = useRef<HTMLDivElement>(null)
	useEffect(() => {
		const element = place.current
		if (element === null) return undefined
		// What comes above it afterwards moves it out of view only where somebody had scrolled on.
		let isSeen = true
		const seen = new IntersectionObserver(([entry]) => (isSeen = (entry?.intersectionRatio ?? 0) > 0.99))
		const moved = new ResizeObserver(() => void (isSeen && element.scrollIntoView({block: 'nearest'})))
		seen.observe(element)
		moved.observe(element.parentElement ?? element)
		return () => {
			seen.disconnect()
			moved.disconnect()
		}
	}, [])
	return <div ref={place}>{children}</div>
}
