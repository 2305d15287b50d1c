import {type DragEvent, type KeyboardEvent, type MouseEvent, useMemo, useState} from 'react'

import {useAnnounce} from '#ui/Announcer.tsx'
import {useLatest} from '#ui/use-latest.ts'
import {useTimer} from '#ui/use-timer.ts'
import {useSingleKeys} from '#ui/SingleKeys.tsx'
import type {KeyFacts} from '#ui/table/movement.ts'
import {isOnLink} from '#ui/table/RowLink.tsx'
import {useSecondClick} from '#ui/table/use-second-click.ts'
import {computerIn, hasComputer} from './drag.ts'
import type {TreeLine} from './tree-model.ts'
import type {LineHandlers} from './TreeRow.tsx'
import {type GroupTreeProps, type TreeSelection, useTreeSelection} from './use-tree-selection.ts'

/** Row height in pixels, as `--row` in tokens.css. */
const rowHeight = 28
/** Maximum pause while typing a name (ms). */
const jumpMs = 1500
/** How long a computer must be held over a closed group to open it (ms). */
const springMs = 700

/** Actions of keys, clicks and drops on the tree. `show` brings a line into view. */
export function useTreeActs(props: GroupTreeProps, at: number, show: (index: number) => void) {
	const {lines} = props
	const letters = useSingleKeys()
	const drag = useDrop(props)
	const picking = useTreeSelection(props)
	const node = (index: number) => lines[index]?.node

	const moveTo = (index: number) => {
		const next = node(index)
		if (next === undefined) return
		show(index)
		picking.begin(index)
		props.onCursor(next)
	}
	const extendTo = (index: number) => {
		const next = node(index)
		if (next === undefined) return
		picking.extend(at, index)
		show(index)
		props.onCursor(next)
	}
	const begin = useSecondClick(props.onMembers)
	const click = (event: MouseEvent, index: number) => {
		const isLink = isOnLink(event)
		if (event.shiftKey) return extendTo(index)
		moveTo(index)
		if (event.ctrlKey || event.metaKey) return picking.toggle(index)
		const found = node(index)
		if (found === undefined) return
		if (isLink) return props.onPage(found)
		begin(event, found)
		if (!props.isPeeking) props.onPeek(found)
	}
	const jump = useJump(lines, at, moveTo)

	const obey = (key: TreeKey) => {
		const present = node(at)
		switch (key.kind) {
			case 'move':
				return moveTo(key.to)
			case 'extend':
				return extendTo(key.to)
			case 'toggle':
				return picking.toggle(at)
			case 'all':
				return picking.all()
			case 'open':
				return props.onOpen(key.guid, key.open)
			case 'openBelow':
				return props.onOpenBelow(key.guid, key.open)
			case 'members':
				return present && props.onMembers(present)
			case 'peek':
				return present && props.onPeek(present)
			case 'jump':
				return jump.to(key.text)
		}
	}
	const press = (event: KeyboardEvent<HTMLDivElement>) => {
		if (event.target !== event.currentTarget || event.defaultPrevented) return
		const facts = {key: event.key, shift: event.shiftKey, control: event.ctrlKey || event.metaKey, alt: event.altKey}
		const taken = () => {
			event.preventDefault()
			event.stopPropagation()
		}
		if (!facts.control && !facts.alt && jump.takes(event.key)) return taken()
		const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 2)
		const key = keyInTree(facts, {lines, at, page, letters})
		if (key === null) return
		obey(key)
		taken()
	}

	const on = useLineHandlers({click, picking, props, drag})
	return {
		on,
		/** Index of the drop target, -1 for none. */
		target: drag.target,
		/** The name typed so far; `null` when not typing. */
		jump: jump.text,
		press,
		endJump: jump.end
	}
}

interface LineActs {
	click: (event: MouseEvent, index: number) => void
	picking: TreeSelection
	props: GroupTreeProps
	drag: ReturnType<typeof useDrop>
}

/** Stable callbacks, so that lines are redrawn only for their own changes. */
function useLineHandlers(acts: LineActs) {
	const latest = useLatest(acts)
	return useMemo<LineHandlers>(
		() => ({
			click: (event, index) => latest.current.click(event, index),
			pick: index => latest.current.picking.toggle(index),
			toggle: index => {
				const line = latest.current.props.lines[index]
				if (line !== undefined) latest.current.props.onOpen(line.node.guid, line.isOpen !== true)
			},
			over: (event, index) => latest.current.drag.over(event, index),
			leave: () => latest.current.drag.leave(),
			drop: (event, index) => latest.current.drag.drop(event, index)
		}),
		[latest]
	)
}

/** Typing the beginning of a name moves to it. */
function useJump(lines: readonly TreeLine[], at: number, moveTo: (index: number) => void) {
	const announce = useAnnounce()
	/** The name typed so far; `null` when not typing. */
	const [text, setText] = useState<string | null>(null)
	const timer = useTimer()
	const end = () => {
		timer.stop()
		setText(null)
	}
	const to = (typed: string) => {
		timer.start(typed === '' ? 2 * jumpMs : jumpMs, () => setText(null))
		setText(typed)
		if (typed === '') return
		// A first letter searches from the next line; further ones may still match the present one.
		const found = lineBeginning(lines, typed, typed.length === 1 ? at + 1 : at)
		if (found < 0) announce(`No group in view begins with ${typed}`)
		else moveTo(found)
	}
	/** A key during typing: `false` when it cannot continue the name, which ends typing. */
	const takes = (key: string) => {
		if (text === null) return false
		const typed = typedOn(text, key)
		if (typed === undefined || typed === null) end()
		else to(typed)
		return typed !== undefined
	}
	return {text, to, takes, end}
}

/** `undefined`: not a typing key; `null`: typing ends. */
function typedOn(text: string, key: string) {
	if (key === 'Escape' || key === 'Enter') return null
	if (key === 'Backspace') return text.slice(0, -1)
	return key.length === 1 ? text + key : undefined
}

/** A computer dragged over a line and dropped there. */
function useDrop({lines, onOpen, onDrop}: GroupTreeProps) {
	const [target, setTarget] = useState(-1)
	const spring = useTimer()
	const leave = () => {
		spring.stop()
		setTarget(-1)
	}
	return {
		target,
		leave,
		over: (event: DragEvent, index: number) => {
			if (!hasComputer(event.dataTransfer)) return
			event.preventDefault()
			event.dataTransfer.dropEffect = 'move'
			if (index === target) return
			setTarget(index)
			spring.stop()
			const line = lines[index]
			if (line?.isOpen === false) spring.start(springMs, () => onOpen(line.node.guid, true))
		},
		drop: (event: DragEvent, index: number) => {
			leave()
			const computer = computerIn(event.dataTransfer)
			const line = lines[index]
			if (computer === null || line === undefined) return
			event.preventDefault()
			onDrop(computer, line.node)
		}
	}
}

/** Keys of the tree: pure, for tests without a page (WAI-ARIA, "Treegrid"). */
type TreeKey =
	| {kind: 'move'; to: number}
	/** Moves, and selects the lines between. */
	| {kind: 'extend'; to: number}
	| {kind: 'toggle'}
	| {kind: 'all'}
	| {kind: 'open'; guid: string; open: boolean}
	| {kind: 'openBelow'; guid: string; open: boolean}
	| {kind: 'members'}
	| {kind: 'peek'}
	| {kind: 'jump'; text: string}

interface TreeFacts {
	lines: readonly TreeLine[]
	at: number
	/** Number of complete visible lines. */
	page: number
	/** Whether single-letter shortcuts are enabled. Otherwise letters jump to a name at once. */
	letters: boolean
}

/** `null` for a key without a function here. */
export function keyInTree(key: KeyFacts, facts: TreeFacts): TreeKey | null {
	if (key.alt || facts.lines.length === 0) return null
	if (key.control) return key.key.toLowerCase() === 'a' ? {kind: 'all'} : null
	const line = facts.lines[facts.at]
	const to = targetOf({...key, shift: key.shift && !extending.has(key.key)}, facts)
	if (to !== null) return {kind: key.shift ? 'extend' : 'move', to: Math.max(0, Math.min(facts.lines.length - 1, to))}
	if (key.key === 'x' && facts.letters) return line === undefined ? null : {kind: 'toggle'}
	if (key.key === 'f' && facts.letters) return {kind: 'jump', text: ''}
	if (!facts.letters && key.key.length === 1 && /[\p{L}\p{N}]/u.test(key.key)) return {kind: 'jump', text: key.key}
	if (line === undefined) return null
	if (key.key === 'ArrowRight') return right(line, facts, key.shift)
	if (key.key === 'ArrowLeft') return left(line, facts, key.shift)
	// With Shift it opens the group's page, by a key of the screen.
	if (key.key === 'Enter') return key.shift ? null : {kind: 'members'}
	if (key.key === ' ') return {kind: 'peek'}
	return null
}

/** With Shift these extend the selection. */
const extending: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp'])

function targetOf({key, shift}: KeyFacts, {at, page, letters, lines}: TreeFacts) {
	if (shift) return null
	if (key === 'ArrowDown' || (letters && key === 'j')) return at + 1
	if (key === 'ArrowUp' || (letters && key === 'k')) return at - 1
	if (key === 'Home') return 0
	if (key === 'End') return lines.length - 1
	if (key === 'PageDown') return Math.max(0, at) + page
	if (key === 'PageUp') return at - page
	return null
}

/** Opens; in an open line moves to the first child. */
function right({node, isOpen}: TreeLine, {at}: TreeFacts, all: boolean): TreeKey | null {
	if (isOpen === null) return null
	if (all) return {kind: 'openBelow', guid: node.guid, open: true}
	return isOpen ? {kind: 'move', to: at + 1} : {kind: 'open', guid: node.guid, open: true}
}

/** Closes; in a closed line moves to the parent. */
function left({node, isOpen}: TreeLine, {lines}: TreeFacts, all: boolean): TreeKey | null {
	if (isOpen !== null && all) return {kind: 'openBelow', guid: node.guid, open: false}
	if (isOpen === true) return {kind: 'open', guid: node.guid, open: false}
	const parent = lines.findIndex(line => line.node.guid === node.parent)
	return parent < 0 ? null : {kind: 'move', to: parent}
}

/** The next line whose name begins with the text, cyclic from `from`; -1 for none. */
export function lineBeginning(lines: readonly TreeLine[], text: string, from: number) {
	const wanted = text.toLowerCase()
	const count = lines.length
	for (let step = 0; step < count; step += 1) {
		const index = (Math.max(0, from) + step) % count
		if (lines[index]?.node.name.toLowerCase().startsWith(wanted) === true) return index
	}
	return -1
}
