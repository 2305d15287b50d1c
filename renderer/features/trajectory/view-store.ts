import {useEffect, useMemo, useState} from 'react'

import {observable, type Settable} from '#api/observable.ts'
import type {Layout, Span} from './layout.ts'
import type {Drawn} from './merge.ts'
import {around} from './span.ts'
import {useStory} from './Story.tsx'

/** The visible time span. Outside React: panning repaints without a render. */
export type ViewStore = Settable<Span>

/** Starts with that part or with everything, and again after a new reading. */
function useView({span: {from, to}}: Layout, part: Span | null): ViewStore {
	return useMemo(() => observable<Span>(part ?? {from, to}), [from, to, part])
}

export function useOnView(view: ViewStore, listener: () => void) {
	useEffect(() => view.subscribe(listener), [view, listener])
}

/** The view begins around an event that was asked for: in the whole time, the steps of an attack are one spot. */
export function useStoryView(trajectory: Drawn, layout: Layout, {first, wanted}: {first: number | null; wanted: number | null}) {
	const story = useStory(trajectory, wanted)
	const near = (index: number) => around(trajectory.points, story, index, layout.span)
	const [opening] = useState(() => (first === null ? null : near(first)))
	const view = useView(layout, opening)
	const nearer = (index: number, turn: (span: Span) => void) => {
		const [now, next] = [view.get(), near(index)]
		if (now.to - now.from > 4 * (next.to - next.from)) turn(next)
	}
	return {story, view, nearer}
}
