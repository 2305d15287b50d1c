import {lazy, Suspense} from 'react'

import {SkeletonLines} from '#ui/States.tsx'
import type {GraphProps} from './graph/Graph.tsx'
import {kindTitles, wayTitles} from './steps.ts'
import {t} from './text.ts'

const Graph = lazy(async () => ({default: (await import('./graph/Graph.tsx')).Graph}))

/** Loads the drawing code when a graph is first shown. */
export function LazyGraph(props: Omit<GraphProps, 'kinds' | 'ways' | 'label'>) {
	return (
		<Suspense fallback={<SkeletonLines lines={8} label={t.graph} />}>
			<Graph {...props} label={t.graph} kinds={kindTitles} ways={wayTitles} />
		</Suspense>
	)
}
