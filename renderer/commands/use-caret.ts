import {type RefObject, useLayoutEffect, useState} from 'react'

/** Moves the caret of a controlled field together with its value: any later, a key typed meanwhile lands in front of it. */
export function useMoveCaret(input: RefObject<HTMLInputElement | null>): (at: number) => void {
	const [moved, setMoved] = useState<{at: number} | null>(null)
	useLayoutEffect(() => {
		if (moved !== null) input.current?.setSelectionRange(moved.at, moved.at)
	}, [input, moved])
	return at => setMoved({at})
}
