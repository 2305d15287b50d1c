import {useEffect, useRef, type ReactNode} from 'react'

/** What comes in below what is in view, such as a refusal at the end of a long form, is scrolled to when it appears. */
export function InView({children}: {readonly children: ReactNode}) {
	const place = useRef<HTMLDivElement>(null)
	useEffect(() => {
		place.current?.scrollIntoView({block: 'nearest'})
	}, [])
	return <div ref={place}>{children}</div>
}
