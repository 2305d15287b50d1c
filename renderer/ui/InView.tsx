import {useEffect, useRef, type ReactNode} from 'react'

/** Content that appears below the visible part, such as an error at the end of a long form, is scrolled into view, and stays there while what is around it grows. */
export function InView({children}: {children: ReactNode}) {
	const place = useRef<HTMLDivElement>(null)
	useEffect(() => {
		const element = place.current
		if (element === null) return undefined
		// Whoever scrolled away is left alone.
		let isSeen = true
		const seen = new IntersectionObserver(entries => void (isSeen = entries.at(-1)?.isIntersecting === true))
		const grown = new ResizeObserver(() => {
			if (isSeen) element.scrollIntoView({block: 'nearest'})
		})
		seen.observe(element)
		grown.observe(element.parentElement ?? element)
		return () => {
			seen.disconnect()
			grown.disconnect()
		}
	}, [])
	return (
		<div ref={place} className="stack">
			{children}
		</div>
	)
}
