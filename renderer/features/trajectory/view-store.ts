import {useEffect, useMemo} from 'react'

import type {Layout, Span} from './layout.ts'

/** The visible time span. Outside React: panning repaints without a render. */
export interface ViewStore {
	get(): Span
	set(span: Span): void
	subscribe(listener: () => void): () => void
}

function createView(first: Span): ViewStore {
	const listeners = new Set<() => void>()
	let span = first
	return {
		get: () => span,
		set(next) {
			span = next
			for (const listener of listeners) listener()
		},
		subscribe(listener) {
			listeners.add(listener)
			return () => void listeners.delete(listener)
		},
	}
}

/** Starts with everything, and again after a new reading. */
export function useView({span: {from, to}}: Layout): ViewStore {
	return useMemo(() => createView({from, to}), [from, to])
}

export function useOnView(view: ViewStore, listener: () => void): void {
	useEffect(() => view.subscribe(listener), [view, listener])
}
