/** A draft in words. Pure. */
import type {DraftRow, DraftState, DraftView, LintLevel} from '#model/list-draft.ts'
import {formatCount} from '#text/numbers.ts'
import {nothingToDo} from '#text/states.ts'

import {look} from '#ui/look.ts'
import type {Look, Tone} from '#ui/Tag.tsx'

/** Shape, word and colour of a state. */
export const verdictWords: Readonly<Record<DraftRow['verdict'], Look>> = {
	ready: look('●', 'ready', 'ok'),
	refused: look('✕', 'refused', 'bad'),
	red: look('▲', 'needs a reason', 'bad'),
	amber: look('△', 'warning', 'warn'),
	idle: look('○', nothingToDo.word, 'plain'),
	plain: look('●', 'ready', 'ok')
}

export const levelTones: Readonly<Record<LintLevel, Tone>> = {refused: 'bad', red: 'bad', amber: 'warn', idle: 'plain', plain: 'plain'}

export const operationWords = {add: {sign: '+', word: 'add'}, remove: {sign: '−', word: 'remove'}} as const

interface ViewTab {
	view: DraftView
	title: string
	count: number
}

export function viewsOf({rows, ready, red, amber, refused, idle}: DraftState): readonly ViewTab[] {
	return [
		{view: 'all', title: 'All', count: rows},
		{view: 'ready', title: 'Ready', count: ready},
		{view: 'red', title: 'Needs a reason', count: red},
		{view: 'amber', title: 'Warnings', count: amber},
		{view: 'refused', title: 'Refused', count: refused},
		{view: 'idle', title: nothingToDo.title, count: idle}
	]
}

/** `+3 −1`, or empty. */
export function signedCounts(adds: number, removes: number) {
	return [adds > 0 ? `+${formatCount(adds)}` : '', removes > 0 ? `−${formatCount(removes)}` : ''].filter(part => part !== '').join(' ')
}

export function describeRow({key, operation, note, verdict, marks, reason, result}: DraftRow) {
	return [
		key,
		operationWords[operation].word,
		verdictWords[verdict].word,
		...marks.map(({message}) => message),
		note === '' ? null : `note: ${note}`,
		reason === null ? null : `reason: ${reason}`,
		result === null ? null : `last commit: ${result}`
	]
		.filter(part => part !== null)
		.join(', ')
}

/** Reads before, during and after sending: the list's pages twice, and at least once for confirmation. */
export function commitCalls(ready: number, listCalls: number | null) {
	const pages = listCalls ?? 1
	return ready + (ready <= 3 ? 3 * ready : 3 * pages)
}

/** Seconds of sending at the API limit's pace. */
export function commitSeconds(calls: number, left: number | null, perHour: number | null, resetInS: number) {
	const sending = calls / 16
	if (left === null || perHour === null || perHour <= 0 || calls <= left) return sending
	return sending + resetInS + (Math.ceil((calls - left) / perHour) - 1) * 3600
}

const textNames = /\.(?:txt|csv|tsv|json|stix|ioc|list|md)$/i
/** Longer texts are not parsed at once. */
const longestText = 16_000_000

/** Whether a file is parsed for hashes, by its name. */
export function isHashText({name, size}: {name: string; size: number}) {
	return textNames.test(name) && size <= longestText
}
