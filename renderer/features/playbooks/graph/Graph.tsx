import '@xyflow/react/dist/base.css'
import {
	Background,
	Controls,
	Handle,
	Position,
	ReactFlow,
	ReactFlowProvider,
	useReactFlow,
	type Edge,
	type Node,
	type NodeProps
} from '@xyflow/react'
import {createContext, memo, useContext, useEffect, useMemo, useRef} from 'react'
import dagre from '@dagrejs/dagre'

import {type PlaybookDocument, type WorkflowStep, pointersOf} from '#model/playbook-document.ts'
import {cx} from '#ui/cx.ts'
import styles from './Graph.module.css'

export type StepMark = 'running' | 'waiting' | 'done' | 'failed' | 'unknown' | 'skipped' | 'planned' | 'wrong' | 'changes'

export interface GraphProps {
	label: string
	document: Pick<PlaybookDocument, 'workflow'>
	/** The text below a step's name, and its style. */
	marks: ReadonlyMap<string, {mark: StepMark; words: string}>
	kinds: Readonly<Record<string, string>>
	ways: Readonly<Record<string, string>>
	selected: string | null
	onSelect: (step: string) => void
}

/** Names are unreadable below this zoom. */
const smallest = 0.4

type StepNode = Node<{step: string; isFirst: boolean}, 'step'>

const Shown = createContext<Pick<GraphProps, 'document' | 'marks' | 'kinds' | 'selected' | 'onSelect'> | null>(null)

/** The document as a chart. One step is in the tab order; arrows lead to the others. */
export function Graph(props: GraphProps) {
	return (
		<ReactFlowProvider>
			<Picture {...props} />
		</ReactFlowProvider>
	)
}

function Picture({label, document, marks, kinds, ways, selected, onSelect}: GraphProps) {
	const structure = structureOf(document)
	// The same structure keeps its layout.
	const layout = useMemo(() => layoutOf(document), [structure]) // eslint-disable-line react-hooks/exhaustive-deps
	const nodes = useMemo(() => nodesOf(layout), [layout])
	const edges = useMemo(() => edgesOf(layout, marks, ways), [layout, marks, ways])
	const frame = useRef<HTMLDivElement>(null)
	const flow = useReactFlow()
	const shown = useMemo(() => ({document, marks, kinds, selected, onSelect}), [document, marks, kinds, selected, onSelect])
	const latest = useRef(selected)
	latest.current = selected
	const show = () => {
		// A chosen step stays visible when others come or go; of a graph too large to read, the start is shown.
		const place = latest.current === null ? undefined : layout.places.get(latest.current)
		const {clientWidth: width = 0, clientHeight: height = 0} = frame.current ?? {}
		const [first] = layout.places.values()
		const isLong = layout.height * smallest > height
		if (place !== undefined) void flow.setCenter(place.x + nodeWidth / 2, place.y + place.height / 2, {zoom: flow.getZoom()})
		else if (first !== undefined && isLong) void flow.setViewport({x: width / 2 - first.x - nodeWidth / 2, y: 0, zoom: 1})
		else void flow.fitView({maxZoom: 1, minZoom: smallest, padding: 0.05})
	}
	useEffect(show, [flow, layout])
	const fit = useRef(show)
	fit.current = show
	useEffect(() => {
		const observer = new ResizeObserver(() => fit.current())
		if (frame.current !== null) observer.observe(frame.current)
		return () => observer.disconnect()
	}, [])
	const go = (event: KeyboardEvent) => {
		const from = selected ?? layout.places.keys().next().value
		const to = from === undefined ? undefined : neighbour(layout, from, event.key)
		const place = to === undefined ? undefined : layout.places.get(to)
		if (to === undefined || place === undefined) return
		event.preventDefault()
		event.stopPropagation()
		onSelect(to)
		void flow.setCenter(place.x + nodeWidth / 2, place.y + place.height / 2, {zoom: Math.max(flow.getZoom(), 0.7)})
		requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(to)}"]`)?.focus({preventScroll: true}))
	}
	useEffect(() => {
		const box = frame.current
		box?.addEventListener('keydown', go)
		return () => box?.removeEventListener('keydown', go)
	})
	return (
		<Shown value={shown}>
			<div ref={frame} className={styles.graph} role="group" aria-label={label}>
				<ReactFlow
					nodes={nodes}
					edges={edges}
					nodeTypes={nodeTypes}
					nodesDraggable={false}
					nodesConnectable={false}
					nodesFocusable={false}
					edgesFocusable={false}
					elementsSelectable={false}
					disableKeyboardA11y
					onlyRenderVisibleElements={nodes.length > 60}
					minZoom={0.15}
					maxZoom={1.5}
					onInit={show}
					proOptions={{hideAttribution: true}}
				>
					<Background gap={20} />
					<Controls showInteractive={false} position="bottom-right" />
				</ReactFlow>
			</div>
		</Shown>
	)
}

function structureOf({workflow}: GraphProps['document']) {
	return JSON.stringify(Object.entries(workflow).map(([id, {type, name: _name, commands: _commands, ...rest}]) => [id, type, leads(rest)]))
}

function leads({on_completion, on_success, on_failure, on_true, on_false, cases, next_steps}: Omit<WorkflowStep, 'type'>) {
	return [on_completion, on_success, on_failure, on_true, on_false, cases, next_steps]
}

function nodesOf({places}: Layout): StepNode[] {
	return [...places].map(([id, {x, y, height}], index) => ({
		...{id, type: 'step', position: {x, y}, data: {step: id, isFirst: index === 0}, width: nodeWidth, height}
	}))
}

function edgesOf({ways}: Layout, marks: GraphProps['marks'], words: GraphProps['ways']): Edge[] {
	const branching = new Set(ways.filter(({field}) => /^(?:on_true|cases|next_steps)/.test(field)).map(({from}) => from))
	return ways.map(({id, from, to, field}) => {
		const isAfter = branching.has(from) && (field === 'on_completion' || field === 'on_success')
		const label = (isAfter ? words['after'] : words[field]) ?? (field.startsWith('cases.') ? field.slice(6) : undefined)
		const taken = marks.has(from) && marks.has(to)
		return {
			...{id, source: from, target: to, type: 'default', focusable: false},
			className: cx(field === 'on_failure' && styles.failure, taken && styles.taken),
			...(label !== undefined && {label, labelBgPadding: [4, 2] as [number, number]})
		}
	})
}

/** Up and down along the paths, sideways among steps of the same level. */
function neighbour({places, ways}: Layout, from: string, key: string) {
	if (key === 'ArrowDown') return ways.find(way => way.from === from)?.to
	if (key === 'ArrowUp') return ways.find(way => way.to === from)?.from
	const all = [...places.keys()]
	if (key === 'Home') return all[0]
	if (key === 'End') return all.at(-1)
	const own = places.get(from)
	if (own === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return undefined
	const side = key === 'ArrowLeft' ? -1 : 1
	const beside = [...places].filter(([, {x, y}]) => Math.abs(y - own.y) < 30 && (x - own.x) * side > 0)
	return beside.toSorted(([, one], [, other]) => Math.abs(one.x - own.x) - Math.abs(other.x - own.x))[0]?.[0]
}

const StepBox = memo(({data: {step: id, isFirst}}: NodeProps<StepNode>) => {
	const shown = useContext(Shown)
	const step = shown?.document.workflow[id]
	if (shown === null || step === undefined) return null
	const {marks, kinds, selected, onSelect} = shown
	const mark = marks.get(id)
	const kind = kinds[step.commands?.[0]?.type === 'manual' ? 'manual' : step.type] ?? step.type
	const name = step.name ?? kind
	const small = step.type === 'start' || step.type === 'end'
	return (
		<>
			<Handle type="target" position={Position.Top} className={styles.handle} isConnectable={false} />
			<button
				type="button"
				data-step={id}
				tabIndex={(selected === null ? isFirst : id === selected) ? 0 : -1}
				aria-pressed={id === selected}
				className={cx('nopan', styles.step, small && styles.small, mark !== undefined && styles[mark.mark])}
				onClick={() => onSelect(id)}
			>
				<span className={styles.name}>{name}</span>
				{!small && <span className={styles.kind}>{mark === undefined ? kind : `${kind} · ${mark.words}`}</span>}
			</button>
			<Handle type="source" position={Position.Bottom} className={styles.handle} isConnectable={false} />
		</>
	)
})
StepBox.displayName = 'StepBox'

const nodeTypes = {step: StepBox}

/* Positions of a document's steps, from top to bottom. */

const nodeWidth = 200
const nodeHeight = 44
/** Of starts and ends. */
const endHeight = 26

interface Place {
	x: number
	y: number
	height: number
}
interface Way {
	id: string
	from: string
	to: string
	/** Field of the path, such as `on_true`. */
	field: string
}
type Layout = ReturnType<typeof layoutOf>

/** By structure only, independent of names and states. */
function layoutOf({workflow}: Pick<PlaybookDocument, 'workflow'>) {
	const graph = new dagre.graphlib.Graph({multigraph: true})
	graph.setGraph({rankdir: 'TB', nodesep: 28, ranksep: 34, marginx: 12, marginy: 12})
	graph.setDefaultEdgeLabel(() => ({}))
	const heightOf = (type: string) => (type === 'start' || type === 'end' ? endHeight : nodeHeight)
	for (const [id, {type}] of Object.entries(workflow)) graph.setNode(id, {width: nodeWidth, height: heightOf(type)})
	const ways: Way[] = []
	for (const [from, step] of Object.entries(workflow))
		for (const {field, to} of pointersOf(step)) if (Object.hasOwn(workflow, to)) ways.push({id: `${from} ${field}`, from, to, field})
	const reached = new Set(ways.flatMap(({field, to}) => (field === 'on_failure' ? [] : [to])))
	// Each level that a path passes takes a place: one from each of many steps to the end took the layout seconds.
	const isLarge = graph.nodeCount() > 40
	for (const {from, to, field} of ways)
		if (!isLarge || field !== 'on_failure' || (!reached.has(to) && reached.add(to))) graph.setEdge(from, to, {}, field)
	dagre.layout(graph)
	const places = Object.entries(workflow).map(([id, {type}]): [string, Place] => {
		const {x = 0, y = 0} = graph.node(id)
		const height = heightOf(type)
		return [id, {x: x - nodeWidth / 2, y: y - height / 2, height}]
	})
	// A stored document has its steps in the order of their ids.
	const isOther = (id: string) => Number(workflow[id]?.type !== 'start')
	places.sort(([a, one], [b, other]) => isOther(a) - isOther(b) || one.y - other.y || one.x - other.x)
	return {places: new Map(places), ways, height: graph.graph().height ?? 0}
}
