import {latePart} from '#ui/LatePart.tsx'
import {SkeletonLines} from '#ui/States.tsx'
import type {GraphProps} from './graph/Graph.tsx'
import {kindTitles, wayTitles} from './steps.ts'
import {t} from './text.ts'

const Graph = latePart(async () => (await import('./graph/Graph.tsx')).Graph, {
	title: t.graphNotLoaded,
	fallback: <SkeletonLines lines={8} label={t.graph} />,
})

/** Loads the drawing code when a graph is first shown. */
export function LazyGraph(props: Omit<GraphProps, 'kinds' | 'ways' | 'label'>) {
	return <Graph {...props} label={t.graph} kinds={kindTitles} ways={wayTitles} />
}
