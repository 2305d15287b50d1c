import {useEffect, useRef} from 'react'

/** How long typing may pause before the address of the screen follows it (ms). */
const addressDelay = 250

export interface LateAddress {
	/** Puts it into the address after a pause, unless something else is typed meanwhile. */
	follow(text: string): void
	/** Puts it into the address now. */
	store(text: string): void
}

/**
 * Rows follow every key, and a new address takes longer than their answer: it comes after a pause. An address that changes
 * by itself (a link, *back*) is taken instead.
 */
export function useLateAddress(
	fromAddress: string,
	toAddress: (text: string) => void,
	take: (text: string) => void,
): LateAddress {
	const known = useRef(fromAddress)
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
	const latest = useRef(take)
	latest.current = take
	useEffect(() => {
		if (fromAddress === known.current) return
		known.current = fromAddress
		clearTimeout(timer.current)
		latest.current(fromAddress)
	}, [fromAddress])
	useEffect(() => () => clearTimeout(timer.current), [])
	const store = (text: string) => {
		clearTimeout(timer.current)
		if (known.current === text) return
		known.current = text
		toAddress(text)
	}
	const follow = (text: string) => {
		clearTimeout(timer.current)
		timer.current = setTimeout(() => store(text), addressDelay)
	}
	return {follow, store}
}
