import {useEffect, useRef, useState} from 'react'

import {useTimer} from '#ui/use-timer.ts'

/** How long typing pauses before the address follows (ms). */
const addressDelay = 250

/**
 * Rows follow every key, but an address change takes longer than their answer, so it waits for a pause.
 * An address that changes by itself (a link, *back*) wins.
 */
export function useLateAddress(fromAddress: string, toAddress: (text: string) => void, take: (text: string) => void) {
	const timer = useTimer()
	const send = useSent(fromAddress, toAddress, text => {
		timer.stop()
		take(text)
	})
	/** Updates the address now. */
	const store = (text: string) => {
		timer.stop()
		send(text)
	}
	/** Updates the address after a pause in typing. */
	const follow = (text: string) => {
		timer.start(addressDelay, () => send(text))
	}
	return {follow, store}
}

/** The text of a box: shown as it is typed, for the address follows later. */
export function useTypedText(fromAddress: string, toAddress: (text: string) => void) {
	const [text, setText] = useState(fromAddress)
	const address = useLateAddress(fromAddress, toAddress, setText)
	return {
		text,
		/** The address follows after a pause. */
		set: (next: string) => {
			setText(next)
			address.follow(next)
		},
		/** Puts the text into the address now. */
		settle: (next = text) => {
			setText(next)
			address.store(next)
		}
	}
}

/** Sends texts to the address, and takes what came into it by itself. */
export function useSent(fromAddress: string, toAddress: (text: string) => void, take: (text: string) => void) {
	/** The address on screen, then those on their way: a busy page may draw one after a newer text was typed. */
	const sent = useRef([fromAddress])
	const latest = useRef(take)
	latest.current = take
	useEffect(() => {
		if (!arrives(sent.current, fromAddress)) latest.current(fromAddress)
	}, [fromAddress])
	return (text: string) => {
		if (sent.current.at(-1) === text) return
		sent.current.push(text)
		toAddress(text)
	}
}

/** Drops from `sent` what `address` overtook; an address that was not sent becomes the only one, and is told by `false`. */
export function arrives(sent: string[], address: string) {
	const at = sent.indexOf(address)
	sent.splice(0, at < 0 ? sent.length : at)
	if (at < 0) sent.push(address)
	return at >= 0
}
