import {useEffect, useRef, type ReactNode} from 'react'

/** Content that appears below the visible part, such as an error at the end of a long form, is scrolled into view. */
export function InView({children}: {children: ReactNode}) {
	const place = useRef<HTMLDivElement>(null)
	useEffect(() => {
		place.current?.scrollIntoView({block: 'nearest'})
	}, [])
	return <div ref={place}>{children}</div>
}
