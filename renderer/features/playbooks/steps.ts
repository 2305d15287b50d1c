/** States of a document's steps in a run. */
import {pointersOf, type PlaybookDocument} from '#model/playbook-document.ts'
import type {PlaybookStepRun, PlaybookStepSum} from '#model/playbook.ts'
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
	skipped: 'hold'
}

type Marks = ReadonlyMap<string, {mark: StepMark; words: string}>

/** A step that the run has no rows of was passed when a later one has some. */
export function marksOf(document: PlaybookDocument, sums: readonly PlaybookStepSum[]): Marks {
	const marks = new Map<string, {mark: StepMark; words: string}>()
	for (const sum of sums) {
		const mark = sum.state === 'intent' ? (sum.kind === 'decision' ? 'waiting' : 'running') : sum.state
		marks.set(sum.step, {mark, words: wordsOf(sum)})
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

function wordsOf({visits, ...sum}: PlaybookStepSum) {
	const times = visits > 1 ? ` · ${t.visits(visits)}` : ''
	return `${stepStateWords(sum)}${sum.attempt > 1 ? ` · ${t.attemptOf(sum.attempt)}` : ''}${times}`
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
	'switch-condition': t.switchStep
} as const

export const wayTitles = {after: t.thenWay, on_timeout: t.onTimeout, on_true: t.yesWay, on_false: t.noWay, on_failure: t.onFailure} as const
