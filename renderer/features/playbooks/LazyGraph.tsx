import {CatchBoundary, type ErrorComponentProps} from '@tanstack/react-router'
import type {ReactNode} from 'react'

import {asCordonError} from '#api/errors.ts'
import {latePart} from '#ui/LatePart.tsx'
import {ErrorState, SkeletonLines} from '#ui/States.tsx'
import type {GraphProps} from './graph/Graph.tsx'
import {kindTitles, wayTitles} from './steps.ts'
import {t} from './text.ts'

const Graph = latePart(async () => (await import('./graph/Graph.tsx')).Graph, {
	title: t.graphNotLoaded,
	fallback: <SkeletonLines lines={8} label={t.graph} />
})

/** Loads the drawing code when a graph is first shown. */
export function LazyGraph(props: Omit<GraphProps, 'kinds' | 'ways' | 'label'>) {
	return (
		<Confined of={props.document}>
			<Graph {...props} label={t.graph} kinds={kindTitles} ways={wayTitles} />
		</Confined>
	)
}

/** A document that was typed may have any shape: what cannot show it takes no other part of the screen away. */
export function Confined({of, children}: {of: object; children: ReactNode}) {
	return (
		<CatchBoundary getResetKey={() => JSON.stringify(of)} errorComponent={NotShown}>
			{children}
		</CatchBoundary>
	)
}

function NotShown({error, reset}: ErrorComponentProps) {
	return <ErrorState error={asCordonError(error)} title={t.notShown} onRetry={reset} />
}
