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
	/** The address on screen, then those on their way: a busy page may draw one after a newer text was typed. */
	const sent = useRef([fromAddress])
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
	const latest = useRef(take)
	latest.current = take
	useEffect(() => {
		if (arrives(sent.current, fromAddress)) return
		clearTimeout(timer.current)
		latest.current(fromAddress)
	}, [fromAddress])
	useEffect(() => () => clearTimeout(timer.current), [])
	const store = (text: string) => {
		clearTimeout(timer.current)
		if (sent.current.at(-1) === text) return
		sent.current.push(text)
		toAddress(text)
	}
	const follow = (text: string) => {
		clearTimeout(timer.current)
		timer.current = setTimeout(() => store(text), addressDelay)
	}
	return {follow, store}
}

/** Drops from `sent` what `address` overtook; an address that was not sent becomes the only one, and is told by `false`. */
export function arrives(sent: string[], address: string): boolean {
	const at = sent.indexOf(address)
	sent.splice(0, at < 0 ? sent.length : at)
	if (at < 0) sent.push(address)
	return at >= 0
}
