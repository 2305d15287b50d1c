import {lazy, Suspense, useState} from 'react'

import {ErrorBoundary} from '#ui/ErrorBoundary.tsx'
import {SkeletonLines} from '#ui/States.tsx'
import type {GraphProps} from './graph/Graph.tsx'
import {kindTitles, wayTitles} from './steps.ts'
import {t} from './text.ts'

const load = () => lazy(async () => ({default: (await import('./graph/Graph.tsx')).Graph}))
let loaded = load()

/** Loads the drawing code when a graph is first shown. */
export function LazyGraph(props: Omit<GraphProps, 'kinds' | 'ways' | 'label'>) {
	const [Graph, setGraph] = useState(() => loaded)
	// React keeps a load that failed.
	const again = () => setGraph((loaded = load()))
	return (
		<ErrorBoundary title={t.graphNotLoaded} onRetry={again}>
			<Suspense fallback={<SkeletonLines lines={8} label={t.graph} />}>
				<Graph {...props} label={t.graph} kinds={kindTitles} ways={wayTitles} />
			</Suspense>
		</ErrorBoundary>
	)
}
