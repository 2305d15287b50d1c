import {useEffect, useRef} from 'react'

/** How long typing pauses before the address follows (ms). */
const addressDelay = 250

export interface LateAddress {
	/** Updates the address after a pause in typing. */
	follow(text: string): void
	/** Updates the address now. */
	store(text: string): void
}

/**
 * Rows follow every key, but an address change takes longer than their answer, so it waits for a pause.
 * An address that changes by itself (a link, *back*) wins.
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
