/** Plans, jobs and receipts in words. Pure. */
import {waitBetweenWaves, type JobPlan, type JobReceipt, type JobSummary} from '#model/job.ts'
import {needsTyping, confirmOption} from '#model/typed.ts'
import {countsText, outcomeNames} from '#text/acts.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {seconds, tableText} from './terminal-table.ts'

export function planText(plan: JobPlan, width: number | null) {
	const {targets, leftOut, cost, waves, because} = plan
	const parts = [
		targets.length === 0 ? 'No target is left.' : targetTable(plan, width),
		leftOut.length === 0 ? '' : skippedText(plan, width),
		[
			`${counted(targets.length, nouns.target)}, in waves of ${waves.join(', ') || '0'}; ${counted(leftOut.length, nouns.target)} skipped.`,
			`Cost: ${counted(cost.calls, nouns.call)} at most (${counted(cost.writes, nouns.change)}, ${counted(cost.reads, nouns.reading)}), ${timeText(plan)}; ${leaves(cost.leaves)}`,
			...because,
			confirmationText(plan)
		].join('\n')
	]
	return parts.filter(part => part !== '').join('\n\n')
}

function timeText(plan: JobPlan) {
	const wait = waitBetweenWaves(plan)
	const between = wait === 0 ? '' : `, and at most ${wait} s for the agents of the waves before the last`
	return `about ${plan.cost.seconds} s to send${between}`
}

function targetTable({targets}: JobPlan, width: number | null) {
	const rows = targets.map(({id, label, observed, warnings}) => [
		label,
		id,
		Object.entries(observed)
			.map(([name, value]) => `${name}: ${String(value)}`)
			.join(', '),
		warnings.join(' ')
	])
	return tableText({columns: ['Target', 'Id', 'State', 'Warnings'], rows}, width)
}

export function skippedText({leftOut}: JobPlan, width: number | null) {
	const rows = leftOut.map(({label, kind, message}) => [label, kind.replaceAll('_', ' '), message])
	return tableText({columns: ['Skipped', 'Why', ''], rows}, width)
}

function leaves(left: number | null) {
	return left === null ? 'the API limit is not known yet.' : `${counted(left, nouns.call)} of this hour are left to others.`
}

function confirmationText({confirmation}: JobPlan) {
	if (!needsTyping(confirmation)) return 'It needs no typed confirmation.'
	const option = confirmOption(confirmation.expected)
	return `It needs ${option}${option.endsWith(' NAME') ? ', with the name of the target as shown here' : ''}.`
}

export const jobColumns = ['Job', 'Started', 'State', 'What', 'Targets', 'By']

export function jobCells(job: JobSummary): readonly string[] {
	return [job.id, seconds(job.startedAt), job.phase, job.title, countsText(job.counts), job.startedBy]
}

export function receiptsText(receipts: readonly JobReceipt[], width: number | null) {
	const rows = receipts.map(one => [
		one.label,
		outcomeNames[one.outcome],
		time(one.requestedAt),
		time(one.acceptedAt),
		time(one.observedAt),
		one.observed ?? '',
		one.outcome === 'done' ? '' : (one.message ?? '')
	])
	const columns = ['Target', 'Outcome', 'Requested', 'Accepted', 'Confirmed', 'State', '']
	return tableText({columns, rows}, width)
}

export function summaryText(job: JobSummary) {
	const because = job.because === null ? '' : ` ${job.because}`
	return `${job.title}: ${countsText(job.counts)}.${because} Job ${job.id}.`
}

export function progressText(job: JobSummary) {
	const waits = job.waitingUntil === null ? '' : `, waits for the API limit until ${job.waitingUntil.slice(11, 19)} UTC`
	return `${job.phase}, wave ${job.wave.number} of ${job.wave.of}: ${countsText(job.counts)}${waits}`
}

function time(iso: string | null) {
	return iso === null ? '' : `${iso.slice(11, 19)}Z`
}
