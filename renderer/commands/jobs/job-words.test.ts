import {targetOutcomes, type JobSummary, type TargetOutcome} from '#model/job.ts'
import {actWords, outcomeNames, outcomeOrder} from '#text/acts.ts'

import {
	canRetry,
	canStop,
	countsWords,
	endedOf,
	leftOutGroups,
	observedWords,
	phaseView,
	stopShareWords,
	stopWords,
	totalWords,
	wavesWords
} from './job-words.ts'

function summary(counts: Partial<Record<TargetOutcome, number>>, rest: Partial<JobSummary> = {}): JobSummary {
	const none = Object.fromEntries(targetOutcomes.map(outcome => [outcome, 0])) as JobSummary['counts']
	const all = {...none, ...counts}
	return {
		id: 'job',
		connection: 'one',
		kind: 'isolate',
		title: 'Isolate 12 computers',
		startedAt: '2026-01-02T03:04:05.000Z',
		endedAt: null,
		startedBy: 'anna',
		phase: 'applying',
		because: null,
		targets: Object.values(all).reduce((sum, count) => sum + count, 0),
		wave: {number: 1, of: 3},
		waitingUntil: null,
		...rest,
		counts: all
	}
}

describe('how a job is described', () => {
	test('names the act with its count', () => {
		expect([actWords('isolate', 12), actWords('release', 1), actWords('add_hashes', 2000)]).toEqual([
			'Isolate 12 computers',
			'Release 1 computer',
			'Add 2,000 hashes'
		])
		expect(actWords('policies', 3)).toBe('Set the policies of 3 groups')
	})

	test('stopping shows how many were sent and not sent', () => {
		expect(stopWords(summary({done: 30, accepted: 11, waiting: 9}))).toBe(
			'41 were sent and keep their own state; they are watched to their end. 9 computers will not be sent.'
		)
		expect(stopWords(summary({waiting: 9}))).toBe('9 computers will not be sent.')
		expect(stopWords(summary({done: 1, waiting: 1}))).toContain('1 was sent and keeps its own state')
	})

	test('an end with failures is no good end', () => {
		expect(phaseView(summary({done: 12}, {phase: 'done'}))).toEqual({word: 'completed', look: 'ok'})
		expect(phaseView(summary({done: 11, failed: 1}, {phase: 'done'})).look).toBe('bad')
		expect(phaseView(summary({waiting: 1}, {waitingUntil: '2026-01-02T04:00:00.000Z'})).word).toBe('waiting for API limit')
		expect(phaseView(summary({waiting: 1}, {phase: 'stopped', waitingUntil: '2026'})).word).toBe('stopped')
	})

	test('every outcome has a shape and a word of its own', () => {
		expect(outcomeOrder.toSorted()).toEqual([...targetOutcomes].toSorted())
		const words = targetOutcomes.map(outcome => outcomeNames[outcome])
		expect(new Set(words).size).toBe(words.length)
		expect(countsWords(summary({done: 1041, not_tried: 9}).counts)).toBe('1,041 done · 9 not sent')
	})
})

describe('sums', () => {
	test('as many come out as went in, or it is said', () => {
		expect(totalWords(summary({done: 11, failed: 1}))).toEqual({text: '12 computers: all finished.', isEven: true})
		expect(totalWords(summary({done: 6, accepted: 2, sending: 1, waiting: 3}))).toEqual({
			text: '12 computers: 6 ended, 6 still open.',
			isEven: true
		})
		expect(totalWords(summary({done: 2, unknown: 1})).text).toBe('3 computers: 2 ended, 1 still open.')
		expect(totalWords(summary({done: 11}, {targets: 12}))).toMatchObject({isEven: false})
	})

	test('accepted is not ended, and unknown not while the job runs', () => {
		expect(endedOf(summary({done: 3, accepted: 4, waiting: 5, not_tried: 1}))).toBe(4)
		expect([null, '2026'].map(endedAt => endedOf(summary({done: 2, unknown: 1}, {endedAt})))).toEqual([2, 3])
	})

	test('what ended can be tried again, while others are watched too, and only what is left can be stopped', () => {
		const counts = {done: 1, failed: 2, unknown: 1, not_tried: 3, nothing_to_do: 1}
		expect(canRetry(summary(counts, {phase: 'stopped'}))).toBe(6)
		expect(canRetry(summary(counts, {phase: 'observing'}))).toBe(5)
		expect(canRetry(summary(counts, {phase: 'applying'}))).toBe(0)
		expect(canStop(summary({accepted: 3}))).toBe(false)
		expect(canStop(summary({waiting: 3}))).toBe(true)
		expect(canStop(summary({waiting: 3}, {phase: 'interrupted'}))).toBe(false)
	})
})

test('what is left out is grouped by reason, what cannot be found first', () => {
	const rows = (['duplicate', 'protected', 'not_found', 'protected'] as const).map((kind, index) => ({
		id: String(index),
		label: String(index),
		kind,
		message: 'why'
	}))
	expect(leftOutGroups(rows).map(({title, rows: {length}}) => [title, length])).toEqual([
		['Not found', 1],
		['Protected', 2],
		['Duplicate', 1]
	])
})

test('times, waves and states in words', () => {
	expect(wavesWords([1, 5, 6])).toBe('1, then 5, then 6')
	expect([0, 0.05, 1].map(stopShareWords)).toEqual([
		'stops after the first failure',
		'stops when more than 5% fail',
		'does not stop for failures'
	])
	expect(observedWords({isolation: 'not_isolated', available: false})).toBe('not isolated, isolation not available')
	expect(observedWords({'on list': true, note: null})).toBe('on list: yes, note: none')
})
