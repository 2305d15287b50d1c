import {useCallback} from 'react'

import {formatCount} from '#text/numbers.ts'

import type {FigureProps} from './Figure.tsx'
import {ItemFigure} from './ItemFigure.tsx'
import {basics, fontSize, plain, tooltipLook} from './looks.ts'
import type {Draw, PictureOption, View} from './view.ts'
import type {Tone} from './theme.ts'

export interface FlowNode {
	key: string
	name: string
	/** Its column, 0 first. */
	column: number
	value: number
	tone: Tone
}

export interface FlowLink {
	/** Keys of nodes. */
	from: string
	to: string
	value: number
}

interface FlowProps extends Pick<FigureProps, 'title' | 'summary' | 'table' | 'height' | 'empty' | 'fileName'> {
	/** Keep nodes and links stable between renders. */
	nodes: readonly FlowNode[]
	links: readonly FlowLink[]
	unit: readonly [string, string]
	onOpenNode: (key: string) => void
	onOpenLink: (link: FlowLink) => void
}

/** Flows as bands; widths are counts. */
export function Flow({nodes, links, unit, onOpenNode, onOpenLink, ...figure}: FlowProps) {
	const draw: Draw = useCallback(view => flowOption(nodes, links, unit, view), [nodes, links, unit])
	const open = (index: number) => {
		const node = nodes[index]
		const link = links[index - nodes.length]
		if (node !== undefined) onOpenNode(node.key)
		else if (link !== undefined) onOpenLink(link)
	}
	return (
		<ItemFigure
			{...figure}
			draw={draw}
			onPick={({index}) => open(index)}
			items={nodes.map((node, index) => ({
				key: node.key,
				name: words(node.name, node.value, unit),
				place: {series: 0, index},
				onOpen: () => open(index)
			}))}
		/>
	)
}

function words(name: string, value: number, unit: readonly [string, string]) {
	return `${name}: ${formatCount(value)} ${value === 1 ? unit[0] : unit[1]}`
}

/** Names are beside the nodes: in the last column to the left, where there is room. */
function flowOption(nodes: readonly FlowNode[], links: readonly FlowLink[], unit: readonly [string, string], view: View): PictureOption {
	const {theme} = view
	const last = Math.max(0, ...nodes.map(({column}) => column))
	const byKey = new Map(nodes.map(node => [node.key, node]))
	const label = {color: theme.ink, fontSize, width: Math.max(80, view.width / (last + 1) - 60), overflow: 'truncate'}
	return {
		...basics(view),
		tooltip: {...tooltipLook(theme), trigger: 'item', formatter: (params: unknown) => tooltipOf(byKey, unit, params)},
		series: [
			{
				type: 'sankey',
				left: 4,
				right: 8,
				top: view.top + 4,
				bottom: view.bottom + 6,
				nodeWidth: 10,
				// A name fits beside even a very thin node.
				nodeGap: 14,
				layoutIterations: 24,
				labelLayout: {hideOverlap: true},
				draggable: false,
				emphasis: {focus: 'adjacency', lineStyle: {opacity: 0.6}},
				lineStyle: {color: theme.tones.faint, opacity: 0.45, curveness: 0.5},
				data: nodes.map((node, place) => ({
					name: node.key,
					depth: node.column,
					value: node.value,
					place,
					itemStyle: {color: theme.tones[node.tone], borderWidth: 0},
					label: {
						...label,
						position: node.column === last && last > 0 ? 'left' : 'right',
						formatter: plain(`${node.name}  ${formatCount(node.value)}`)
					}
				})),
				links: links.map(({from, to, value}, index) => ({source: from, target: to, value, place: nodes.length + index}))
			}
		]
	}
}

function tooltipOf(byKey: ReadonlyMap<string, FlowNode>, unit: readonly [string, string], params: unknown) {
	if (typeof params !== 'object' || params === null || !('data' in params)) return ''
	const {data} = params
	if (typeof data !== 'object' || data === null) return ''
	const named = (key: unknown) => byKey.get(String(key))?.name ?? ''
	const value = 'value' in data ? Number(data.value) : 0
	const what = 'source' in data && 'target' in data ? `${named(data.source)} → ${named(data.target)}` : 'name' in data ? named(data.name) : ''
	return plain(words(what, value, unit))
}
