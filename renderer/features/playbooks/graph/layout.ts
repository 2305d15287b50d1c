/** Positions of a document's steps, from top to bottom. */
import dagre from '@dagrejs/dagre'

import {pointersOf, type PlaybookDocument} from '#shared/model/playbook-document.ts'

export const nodeWidth = 200
export const nodeHeight = 44
/** Of starts and ends. */
export const endHeight = 26

interface Place {
	readonly x: number
	readonly y: number
	readonly height: number
}
export interface Way {
	readonly id: string
	readonly from: string
	readonly to: string
	/** Field of the path, such as `on_true`. */
	readonly field: string
}
export interface Layout {
	readonly places: ReadonlyMap<string, Place>
	readonly ways: readonly Way[]
	readonly height: number
}

/** By structure only, independent of names and states. */
export function layoutOf({workflow}: Pick<PlaybookDocument, 'workflow'>): Layout {
	const graph = new dagre.graphlib.Graph({multigraph: true})
	graph.setGraph({rankdir: 'TB', nodesep: 28, ranksep: 34, marginx: 12, marginy: 12})
	graph.setDefaultEdgeLabel(() => ({}))
	const heightOf = (type: string): number => (type === 'start' || type === 'end' ? endHeight : nodeHeight)
	for (const [id, {type}] of Object.entries(workflow)) graph.setNode(id, {width: nodeWidth, height: heightOf(type)})
	const ways: Way[] = []
	for (const [from, step] of Object.entries(workflow))
		for (const {field, to} of pointersOf(step)) {
			if (!Object.hasOwn(workflow, to)) continue
			ways.push({id: `${from} ${field}`, from, to, field})
			graph.setEdge(from, to, {}, field)
		}
	dagre.layout(graph)
	const places = Object.entries(workflow).map(([id, {type}]): [string, Place] => {
		const {x = 0, y = 0} = graph.node(id)
		const height = heightOf(type)
		return [id, {x: x - nodeWidth / 2, y: y - height / 2, height}]
	})
	return {places: new Map(places), ways, height: graph.graph().height ?? 0}
}
