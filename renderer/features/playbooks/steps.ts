/** States of a document's steps in a run. */
import {pointersOf, type PlaybookDocument} from '#model/playbook-document.ts'
import type {PlaybookStepRun} from '#model/playbook.ts'
import {stepStateWords} from '#text/states.ts'

import type {Tone} from '#ui/Tag.tsx'
import type {StepMark} from './graph/Graph.tsx'
import {t} from './text.ts'

export const stepTones: Readonly<Record<PlaybookStepRun['state'], Tone>> = {
	planned: 'plain',
	intent: 'accent',
	done: 'ok',
	failed: 'bad',
	unknown: 'warn',
	skipped: 'hold',
}

/** Step id of a run's row: `exception/ID#2/1` belongs to `ID`. */
export function stepOfRow(id: string): string {
	return id.replace(/^exception\//, '').split('#')[0] ?? id
}

type Marks = ReadonlyMap<string, {readonly mark: StepMark; readonly words: string}>

/** The newest row of each step; a step without rows was passed when a later one has one. */
export function marksOf(document: PlaybookDocument, rows: readonly PlaybookStepRun[]): Marks {
	const marks = new Map<string, {mark: StepMark; words: string}>()
	for (const row of rows.filter(({kind}) => kind !== 'value')) {
		const isAsking = row.kind === 'decision' && row.state === 'intent'
		const mark = row.state === 'intent' ? (isAsking ? 'waiting' : 'running') : row.state
		marks.set(stepOfRow(row.id), {mark, words: wordsOf(row, rows)})
	}
	const steps = Object.entries(document.workflow)
	for (let grew = true; grew;) {
		grew = false
		for (const [id, step] of steps)
			if (!marks.has(id) && step.type !== 'action' && pointersOf(step).some(({to}) => marks.has(to))) {
				marks.set(id, {mark: 'done', words: t.passed})
				grew = true
			}
	}
	return marks
}

function wordsOf(row: PlaybookStepRun, rows: readonly PlaybookStepRun[]) {
	const own = stepOfRow(row.id)
	const visits = new Set(rows.filter(({id}) => stepOfRow(id) === own).map(({id}) => id.split('#')[1]?.split(/[/.]/)[0]))
	const times = visits.size > 1 ? ` · ${t.visits(visits.size)}` : ''
	return `${stepStateWords(row)}${row.attempt > 1 ? ` · ${t.attemptOf(row.attempt)}` : ''}${times}`
}

export const kindTitles = {
	start: t.start,
	end: t.end,
	action: t.request,
	manual: t.question,
	'playbook-action': t.otherPlaybook,
	parallel: t.parallel,
	'if-condition': t.condition,
	'while-condition': t.loop,
	'switch-condition': t.switchStep,
} as const

export const wayTitles = {
	after: t.thenWay,
	on_timeout: t.onTimeout,
	on_true: t.yesWay,
	on_false: t.noWay,
	on_failure: t.onFailure,
} as const
