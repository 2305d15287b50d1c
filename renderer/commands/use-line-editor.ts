import {type KeyboardEvent, type RefObject, useEffect, useRef, useState} from 'react'

import type {CompletionItem} from '#shared/commands/complete.ts'
import {problemToChoose} from './line-lint.ts'
import type {Suggested} from './Suggestions.tsx'
import {accept, useCompletion, useNamed} from './use-completion.ts'
import type {LineHistory} from './use-history.ts'
import {useMoveCaret} from './use-caret.ts'
import {usePicked} from './use-picked.ts'

export interface CommandInputProps {
	value: string
	onChange: (line: string) => void
	onRun: (line: string) => void
	onClose: () => void
	history: LineHistory
	/** The line was attempted: show missing arguments too. */
	isTried: boolean
	/** Takes the focus when it becomes true. */
	isShown: boolean
}

type Popup = 'none' | 'completion' | 'history'

/** More would not fit, and nobody reads them. */
const mostFound = 40

/** Caret, list and keys of the command line. */
export function useLineEditor({value, onChange, onRun, onClose, history, isShown}: CommandInputProps) {
	const input = useRef<HTMLInputElement>(null)
	const {caret, setCaret, moveCaret} = useCaret(input, value.length)
	const [popup, setPopup] = useState<Popup>('none')
	const {completion, found, items, ghost} = useOffers(value, caret, popup, history)
	const {picked, pick} = usePicked(items.map(({id}) => id))
	const isOpen = popup !== 'none' && items.length > 0
	const toNamed = useNamed()
	useFocus(input, isShown)

	const show = (next: Popup) => {
		pick(-1)
		setPopup(next)
	}
	const put = (line: string, at: number) => {
		onChange(line)
		pick(-1)
		moveCaret(at)
	}
	const take = (index: number) => {
		const line = found[index]
		const item = completion.items[index]
		if (popup === 'history') {
			if (line !== undefined) put(line, line.length)
			return show('none')
		}
		if (item === undefined) return
		const next = accept(value, completion, item)
		put(next.line, next.caret)
		show(item.kind === 'value' ? 'none' : 'completion')
	}
	const walk = (line: string | null) => (line === null ? undefined : put(line, line.length))
	/** A name in place of an id never means the first match: unless one object alone has it, its matches are listed. */
	const run = async () => {
		const unnamed = problemToChoose(value)
		show('none')
		const named = unnamed && (await toNamed(value))
		onRun(named ?? value)
		if (unnamed === null || named !== null) return
		moveCaret(unnamed.to)
		show('completion')
	}
	const obey = (act: LineAct) => {
		if (act.kind === 'take') take(act.index)
		else if (act.kind === 'pick') pick(act.index)
		else if (act.kind === 'walk') walk(history.step(act.by, value))
		else if (act.kind === 'search') show('history')
		else if (act.kind === 'complete') show('completion')
		else if (act.kind === 'close') onClose()
		else if (act.kind === 'run') void run()
		else {
			if (act.kind === 'ghost') put(value + ghost, value.length + ghost.length)
			show('none')
		}
	}
	const facts = {isOpen, picked, count: items.length, hasText: value !== '', hasGhost: ghost !== ''}
	return {
		input,
		popup,
		items,
		isOpen,
		picked,
		/** The rest of an earlier line, after the typed text; '' for none. */
		ghost,
		take,
		typed(line: string, at: number) {
			onChange(line)
			setCaret(at)
			history.leave()
			show(line === '' ? 'none' : popup === 'history' ? 'history' : 'completion')
		},
		setCaret,
		shut: () => setPopup('none'),
		press(event: KeyboardEvent<HTMLInputElement>) {
			if (event.nativeEvent.isComposing) return
			const act = actOfKey(keyOf(event), facts)
			if (act === null) return
			event.preventDefault()
			event.stopPropagation()
			obey(act)
		}
	}
}

/** Completions, earlier lines that contain the text, and the rest of one that starts with it. */
function useOffers(value: string, caret: number, popup: Popup, history: CommandInputProps['history']) {
	const completion = useCompletion(value, caret, popup === 'completion')
	const isSearch = popup === 'history'
	const found = isSearch ? history.lines.filter(line => line.includes(value)).slice(0, mostFound) : []
	const items: readonly Suggested[] = isSearch ? found.map(lineSuggested) : completion.items.map(itemSuggested)
	const ghost = !isSearch && caret === value.length ? ghostOf(value, history.lines) : ''
	return {completion, found, items, ghost}
}

function useFocus(input: RefObject<HTMLInputElement | null>, isShown: boolean) {
	useEffect(() => {
		if (isShown) input.current?.focus()
	}, [input, isShown])
}

function useCaret(input: RefObject<HTMLInputElement | null>, start: number) {
	const [caret, setCaret] = useState(start)
	const move = useMoveCaret(input)
	const moveCaret = (at: number) => {
		setCaret(at)
		move(at)
	}
	return {caret, setCaret, moveCaret}
}

function keyOf({key, ctrlKey, shiftKey, metaKey, altKey}: KeyboardEvent) {
	return {
		key,
		ctrl: ctrlKey,
		shift: shiftKey,
		/** Meta or Alt. */
		other: metaKey || altKey
	}
}

function lineSuggested(line: string): Suggested {
	return {id: line, label: line, detail: ''}
}

function itemSuggested({kind, text, label, detail}: CompletionItem): Suggested {
	return {id: `${kind} ${text}`, label, detail}
}

/** The rest of the newest earlier line that starts with the typed one; '' for none. `earlier` is newest first. */
export function ghostOf(typed: string, earlier: readonly string[]) {
	if (typed.trim() === '') return ''
	return earlier.find(line => line.length > typed.length && line.startsWith(typed))?.slice(typed.length) ?? ''
}

type LineAct =
	| {kind: 'run' | 'search' | 'complete' | 'shut' | 'close' | 'ghost'}
	| {kind: 'take' | 'pick'; index: number}
	/** 1 walks to an older line. */
	| {kind: 'walk'; by: 1 | -1}

type LineKey = ReturnType<typeof keyOf>

interface PopupFacts {
	isOpen: boolean
	picked: number
	count: number
	hasText: boolean
	/** The rest of an earlier line is shown after the caret. */
	hasGhost: boolean
}

export function actOfKey({key, ctrl, shift, other}: LineKey, {isOpen, picked, count, hasText, hasGhost}: PopupFacts): LineAct | null {
	if (other) return null
	if (ctrl) return withControl(key)
	if (key === 'Enter') return isOpen && picked >= 0 ? {kind: 'take', index: picked} : {kind: 'run'}
	if (key === 'Escape') return isOpen ? {kind: 'shut'} : {kind: 'close'}
	// Without an open list, Tab leaves the line as everywhere else.
	if (key === 'Tab' && !shift) return isOpen && hasText ? {kind: 'take', index: Math.max(0, picked)} : null
	if (key === 'ArrowDown') return isOpen ? {kind: 'pick', index: (picked + 1) % count} : {kind: 'walk', by: -1}
	if (key === 'ArrowUp') return isOpen && picked >= 0 ? {kind: 'pick', index: picked - 1} : {kind: 'walk', by: 1}
	return hasGhost && !shift && (key === 'ArrowRight' || key === 'End') ? {kind: 'ghost'} : null
}

function withControl(key: string): LineAct | null {
	if (key === 'r') return {kind: 'search'}
	if (key === ' ') return {kind: 'complete'}
	return key === 'Enter' ? {kind: 'run'} : null
}
