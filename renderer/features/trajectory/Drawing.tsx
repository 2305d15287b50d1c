import {useEffect, useMemo, useRef, useState} from 'react'

import {csvOf} from '#shared/commands/table.ts'
import type {TrajectoryPoint} from '#contract/insight.ts'
import {useActiveConnection} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {useChartTheme} from '#ui/chart/theme.ts'
import {useTimeZone} from '#ui/Time.tsx'
import {cx} from '#ui/cx.ts'
import {EmptyState} from '#ui/States.tsx'
import {useKey, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {saveBlob, saveText} from '#ui/save.ts'
import type {TableHandle} from '#ui/table/types.ts'
import {computerPage, WebConsole} from '#ui/WebConsole.tsx'
import {DrawingBar} from './DrawingBar.tsx'
import {Inspector} from './Inspector.tsx'
import {Lanes, type LanesHandle} from './Lanes.tsx'
import {layOut, type Layout, type Span, spotOf, timeOf} from './layout.ts'
import {dispositionLooks, shapeLooks} from './looks.ts'
import {type Drawn, fileOf, partFor, partOf} from './merge.ts'
import {Minimap} from './Minimap.tsx'
import {deadEnds, type Move, moveFrom} from './moves.ts'
import {type FilePicture, paintFile, sizeOfFile} from './paint-file.ts'
import {panned, showing, zoomed} from './span.ts'
import {Story} from './Story.tsx'
import {TableTwin} from './TableTwin.tsx'
import {t} from './text.ts'
import styles from './Trajectory.module.css'
import {useBookmarks} from './use-bookmarks.ts'
import {useStoryView, type ViewStore} from './view-store.ts'
import {describePoint, extentOf, shownWords, unknownOf} from './words.ts'
import {dispositions} from '#model/choices.ts'

const labelWidth = 200

interface DrawingProps {
	/** One reading, or several on one axis. */
	trajectory: Drawn
	sharedOnly: boolean
	/** Id of an event or of its detection: selected first. */
	asked: string | undefined
	onSharedOnly: (only: boolean) => void
	hideClean: boolean
	onHide: (hide: boolean) => void
	/** Queries the service for one value. */
	onNarrow: (query: string) => void
}

/** Lanes, minimap, table and inspector of one reading, with a common selection. */
export function Drawing(props: DrawingProps) {
	const it = useDrawing(props)
	useDrawingKeys(it)
	const {trajectory, sharedOnly, onSharedOnly, hideClean, onHide, onNarrow, announce, zone, theme, name, setName} = it
	const {layout, view, lanes, table, nameField, isInspecting, setInspecting, wanted, selected, point, show} = it
	const {inspect, story, inspectStep, bookmarks, zoom, exportTable, extent, unknown} = it
	return (
		<div className={styles.drawing} data-inspecting={isInspecting && point !== undefined} data-compared={trajectory.parts.length > 1}>
			<DrawingBar
				{...{layout, name, nameField, hideClean, onHide}}
				shared={trajectory.parts.length < 2 ? null : {only: sharedOnly, onOnly: onSharedOnly}}
				extent={
					<>
						{extent} {trajectory.cut && <Earlier guid={trajectory.guid} />} {unknown}
					</>
				}
				onName={setName}
				onZoom={zoom}
				onSaveTable={exportTable}
				onSavePicture={() => {
					const picture = {layout, span: view.get(), theme, zone, extent, marked: bookmarks.marked}
					void savePicture(trajectory, picture).then(
						() => announce('Saving image'),
						() => announce('Could not save the image')
					)
				}}
			/>
			{story !== null && <Story {...{story, hostname: trajectory.hostname}} selected={wanted} onShow={inspectStep} />}
			<Figure it={it} />
			<TableTwin {...{trajectory, layout, selected, isInspecting, table}} onSelect={show} onInspect={inspect} />
			{isInspecting && point !== undefined && (
				<Inspector
					origin={trajectory.originOf(point.index) ?? {part: partFor(trajectory), index: point.index}}
					isOneOfSeveral={trajectory.parts.length > 1}
					query={trajectory.query}
					point={point}
					lane={trajectory.lanes.find(({id}) => id === point.lane)}
					parent={trajectory.lanes.find(({id}) => id === point.parent)?.label ?? null}
					onClose={() => {
						setInspecting(false)
						lanes.current?.focus()
					}}
					onNarrow={onNarrow}
				/>
			)}
		</div>
	)
}

function Figure({it}: {it: DrawingState}) {
	const {trajectory, onSharedOnly, onHide, name, setName, layout, view, lanes, setHasFocus, setInspecting} = it
	const {setSelected, selected, move, bookmarks, pan, toggleDetails, extent} = it
	return (
		<div className={styles.figure}>
			{layout.points.length === 0 ? (
				<NothingLeft name={name} onShowAll={() => (setName(''), onHide(false), onSharedOnly(false))} />
			) : (
				<Lanes
					{...{layout, view, selected, labelWidth}}
					marked={bookmarks.marked}
					label={t.trajectoryArrows(trajectory.hostname, extent)}
					onPick={index => {
						setSelected(index)
						setInspecting(true)
					}}
					onMove={move}
					onPan={pan}
					onInspect={toggleDetails}
					onFocus={setHasFocus}
					handle={lanes}
				/>
			)}
			<Minimap {...{layout, view, labelWidth}} />
			<Legend points={trajectory.points} />
		</div>
	)
}

type DrawingState = ReturnType<typeof useDrawing>

/** Zooming and panning by keys and buttons: each announces what is shown. */
function useTurning(layout: Layout, view: ViewStore, point: TrajectoryPoint | undefined) {
	const announce = useAnnounce()
	const zone = useTimeZone()
	const turn = (span: Span) => {
		view.set(span)
		announce(shownWords(layout, view.get(), zone), 'spoken')
	}
	return {
		turn,
		zoom: (factor: number | null) => turn(factor === null ? layout.span : closer(layout, view, point, factor)),
		pan: (share: number) => turn(panned(view.get(), layout.span, share))
	}
}

function useDrawing({trajectory, sharedOnly, asked, onSharedOnly, hideClean, onHide, onNarrow}: DrawingProps) {
	const announce = useAnnounce()
	const zone = useTimeZone()
	const theme = useChartTheme()
	const [name, setName] = useState('')
	const layout = useMemo(() => layOut(trajectory, {hideClean, name, sharedOnly}), [trajectory, hideClean, name, sharedOnly])
	const lanes = useRef<LanesHandle>(null)
	const table = useRef<TableHandle>(null)
	const nameField = useRef<HTMLInputElement>(null)
	const [hasFocus, setHasFocus] = useState(false)
	const [isInspecting, setInspecting] = useState(false)
	const [first] = useState(() => (asked === undefined ? null : indexOf(trajectory, asked)))
	const [wanted, setSelected] = useState(first)
	const {story, view, nearer} = useStoryView(trajectory, layout, {first, wanted})
	const selected = wanted !== null && layout.places.has(wanted) ? wanted : null
	const point = selected === null ? undefined : trajectory.points[selected]

	const show = (index: number) => {
		setSelected(index)
		bringIntoView(layout, view, index)
		lanes.current?.reveal(index)
	}
	const inspect = (index: number) => {
		show(index)
		setInspecting(true)
	}
	const {turn, zoom, pan} = useTurning(layout, view, point)
	const inspectStep = (index: number) => {
		nearer(index, turn)
		inspect(index)
	}
	useEffect(() => {
		if (first !== null) lanes.current?.reveal(first)
	}, [first])
	/** Selects and announces it; without one, announces why. */
	const lead = (index: number | null, deadEnd: string) => {
		const next = index === null ? undefined : trajectory.points[index]
		if (next === undefined) return announce(deadEnd)
		show(next.index)
		announce(describePoint(next, labelOf(layout, next.lane), zone), 'spoken')
	}
	const move = (to: Move) => lead(moveFrom(layout, selected, to), deadEnds[to])
	const toggleDetails = () => setInspecting(was => !was)
	const bookmarks = useBookmarks(trajectory)
	const mark = () => {
		if (selected === null) return announce('Go to an event first')
		announce(bookmarks.toggle(selected) ? 'Event marked' : 'Bookmark removed')
	}
	const nextMark = () => {
		const next = bookmarks.after(selected)
		const isHidden = next !== null && !layout.places.has(next)
		lead(isHidden ? null : next, isHidden ? 'The marked event is hidden by the filters' : 'No event is marked')
	}
	const exportTable = () => {
		if (layout.points.length === 0) return announce('There is nothing to save')
		saveTable(trajectory, layout)
		announce('Saving table')
	}
	const extent = extentOf(trajectory, zone)
	const unknown = unknownOf(trajectory)
	return {
		...{trajectory, sharedOnly, onSharedOnly, hideClean, onHide, onNarrow, announce, zone, theme, name, setName},
		...{layout, view, lanes, table, nameField, hasFocus, setHasFocus, isInspecting, setInspecting, wanted, setSelected},
		...{selected, point, show, inspect, inspectStep, story, move, bookmarks, mark, nextMark, zoom, pan, toggleDetails},
		...{exportTable, extent, unknown}
	}
}

/** Where to see events omitted by the service. */
function Earlier({guid}: {guid: string}) {
	const {url} = useActiveConnection()
	return (
		<WebConsole server={url} page={computerPage(guid)} without={null}>
			{t.earlierOnes}
		</WebConsole>
	)
}

function indexOf({points}: Drawn, asked: string) {
	return points.find(({id, detectionId}) => id === asked || detectionId === asked)?.index ?? null
}

function labelOf(layout: Layout, lane: string) {
	const row = layout.rowOf.get(lane)
	return (row === undefined ? undefined : layout.lanes[row]?.lane.label) ?? lane
}

function bringIntoView(layout: Layout, view: ViewStore, index: number) {
	const spot = spotOf(layout, index)
	if (spot === undefined) return
	const [span, next] = [view.get(), showing(view.get(), layout.span, spot.time)]
	if (next !== span) view.set(next)
}

/** Around the selected event if visible, otherwise around the middle. */
function closer(layout: Layout, view: ViewStore, point: TrajectoryPoint | undefined, factor: number) {
	const span = view.get()
	const share = point === undefined ? 0.5 : (timeOf(point) - span.from) / (span.to - span.from)
	return zoomed(span, layout.span, factor, share >= 0 && share <= 1 ? share : 0.5)
}

function NothingLeft({name, onShowAll}: {name: string; onShowAll: () => void}) {
	return (
		<EmptyState title={t.noLaneLeft} act={[t.showAllLanes, onShowAll]}>
			{name.trim() === '' ? t.everyLaneClean : t.noLaneName(name.trim())}
		</EmptyState>
	)
}

function Legend({points}: {points: readonly TrajectoryPoint[]}) {
	const found = useMemo(() => ({shapes: new Set(points.map(({shape}) => shape)), held: new Set(points.map(each => each.disposition))}), [points])
	return (
		<div className={styles.legend}>
			{Object.entries(shapeLooks).map(([shape, {sign, word}]) =>
				[...found.shapes].some(each => each === shape) ? (
					<span key={shape}>
						<span aria-hidden>{sign}</span> {word}
					</span>
				) : null
			)}
			<span className="spring" />
			{dispositions.map(disposition =>
				found.held.has(disposition) && disposition !== 'none' ? (
					<span key={disposition}>
						<span className={cx(styles.swatch, styles[disposition])} aria-hidden /> {dispositionLooks[disposition].word}
					</span>
				) : null
			)}
		</div>
	)
}

/** Arrows and Enter are handled by the lanes; they are registered here for the list of shortcuts. */
function useDrawingKeys(it: DrawingState) {
	const {hasFocus, isInspecting, point, hideClean, onHide, announce, move, zoom, pan, toggleDetails} = it
	useKeys({
		'trajectory.name': () => it.nameField.current?.focus(),
		'trajectory.export': it.exportTable,
		'trajectory.event': hasFocus && (() => move('next')),
		'trajectory.lane': hasFocus && (() => move('down')),
		'trajectory.pan': hasFocus && (() => pan(0.2)),
		'trajectory.inspect': hasFocus && toggleDetails,
		'trajectory.previousDetection': () => move('previousDetection'),
		'trajectory.nextDetection': () => move('nextDetection'),
		'trajectory.parent': () => move('parent'),
		'trajectory.child': () => move('child'),
		'trajectory.across': () => move('across'),
		'trajectory.closer': () => zoom(0.5),
		'trajectory.wider': () => zoom(2),
		'trajectory.all': () => zoom(null),
		'trajectory.hide': () => {
			onHide(!hideClean)
			announce(hideClean ? 'All lanes are shown' : 'Clean lanes are hidden')
		},
		'trajectory.mark': it.mark,
		'trajectory.nextMark': it.nextMark,
		'trajectory.table': () => it.table.current?.focus()
	})
	// One level at a time: first closes the details, then returns to the list.
	useKey('computer.back', toggleDetails, isInspecting && point !== undefined)
}

const columns = [
	'time',
	'nanoseconds',
	'what',
	'disposition',
	'lane',
	'event',
	'type',
	'sha256',
	'parent',
	'detection_id',
	'id',
	'computer',
	'guid'
]

/** The visible events, as CSV, oldest first. */
function saveTable({hostname, lanes, parts}: Drawn, layout: Layout) {
	const labels = new Map(lanes.map(({id, label}) => [id, label]))
	const rows = layout.points.map(({at, nanoseconds, shape, disposition, lane, text, type, sha256, parent, detectionId, id}) => {
		const facts = [
			at,
			String(nanoseconds),
			shape,
			disposition,
			labels.get(lane) ?? lane,
			text,
			type,
			sha256,
			parent === null ? null : fileOf(parent)
		]
		const computer = parts[partOf(lane)]
		return [...facts, detectionId, id, computer?.hostname, computer?.guid].map(cell => cell ?? '')
	})
	saveText({name: `trajectory-${hostname}.csv`, text: csvOf({columns, rows})})
}

/** The visible chart as a PNG: all lanes over that time, with a title. */
async function savePicture({parts}: Drawn, picture: FilePicture) {
	const {width, height} = sizeOfFile(picture.layout)
	const canvas = new OffscreenCanvas(width * 2, height * 2)
	const pen = canvas.getContext('2d')
	if (pen === null) throw new Error('no canvas')
	pen.scale(2, 2)
	paintFile(pen, picture, parts.map(({hostname}) => hostname).join(', '))
	saveBlob(await canvas.convertToBlob({type: 'image/png'}), `trajectory-${parts[0]?.hostname ?? 'computer'}.png`)
}
