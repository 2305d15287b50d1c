import {useEffect, useState} from 'react'

import type {PlaybookVerdict} from '#model/playbook.ts'

import {useApi} from '#api/hooks.tsx'
import {anyDialog} from '#ui/list-of-screen.ts'
import type {Draft} from './edit.ts'

const kept = 200

/** Typing into one field is one change. */
export type Change = (next: Draft, field?: string) => void

interface History {
	all: readonly Draft[]
	at: number
	field: string | undefined
}

export function useDraft(place: string, first: Draft) {
	const [base, setBase] = useState(first)
	const [{all, at}, setState] = useState<History>(() => {
		const left = leftIn(place)
		return {all: left === null ? [first] : [first, left], at: left === null ? 0 : 1, field: undefined}
	})
	const draft = all[at] ?? first
	const isChanged = draft !== base
	useEffect(() => leave(place, isChanged ? draft : null), [place, draft, isChanged])
	const change: Change = (next, field) => setState(old => changed(old, next, field))
	/** `null`: nothing to undo. */
	const move = (by: number) => (at + by in all ? () => setState({all, at: at + by, field: undefined}) : null)
	return {
		...{draft, change, isChanged, undo: move(-1), redo: move(1)},
		/** This one is now stored in this form; what was typed meanwhile is not. */
		saved: (one: Draft, as: Draft) => {
			setBase(as)
			setState(old => ({...old, all: old.all.map(each => (each === one ? as : each)), field: undefined}))
		},
		discard: () => change(base)
	}
}

function changed({all, at, field: before}: History, next: Draft, field: string | undefined) {
	const isSame = field !== undefined && field === before && at > 0
	const end = isSame ? at : at + 1
	const rest = all.slice(Math.max(0, end - kept), end)
	return {all: [...rest, next], at: rest.length, field}
}

const storage = (place: string) => `cordon.playbook-draft.${place}`

function leftIn(place: string) {
	try {
		// Written below.
		return JSON.parse(sessionStorage.getItem(storage(place)) ?? 'null') as Draft | null
	} catch {
		return null
	}
}

export function leave(place: string, draft: Draft | null) {
	try {
		if (draft === null) sessionStorage.removeItem(storage(place))
		else sessionStorage.setItem(storage(place), JSON.stringify(draft))
	} catch {
		// Without storage the page keeps it until it is left.
	}
}

const checkAfterMs = 250

/** Of the draft a moment ago; `null` before the first check. */
export function useVerdict(draft: Draft) {
	const {client} = useApi()
	const [verdict, setVerdict] = useState<PlaybookVerdict | null>(null)
	useEffect(() => {
		let isOld = false
		const timer = setTimeout(() => {
			client.playbooks.check({text: JSON.stringify(draft)}).then(
				told => void (isOld || setVerdict(told)),
				() => isOld || setVerdict(null)
			)
		}, checkAfterMs)
		return () => {
			isOld = true
			clearTimeout(timer)
		}
	}, [client, draft])
	return verdict
}

/** Also within fields, where the browser would undo single letters. */
export function useEditorKeys({undo, redo, save}: {undo: (() => void) | null; redo: (() => void) | null; save: (() => void) | null}) {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const isInDialog = event.target instanceof Element && event.target.closest(anyDialog) !== null
			if (isInDialog || event.altKey || !(event.ctrlKey || event.metaKey)) return
			const acts: Readonly<Record<string, (() => void) | null>> = {z: event.shiftKey ? redo : undo, y: redo, s: save}
			const key = event.key.toLowerCase()
			if (!Object.hasOwn(acts, key)) return
			event.preventDefault()
			acts[key]?.()
		}
		window.addEventListener('keydown', onKey, {capture: true})
		return () => window.removeEventListener('keydown', onKey, {capture: true})
	})
}
