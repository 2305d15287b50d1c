import {sentOf, targetOutcomes, type JobPhase, type JobSummary, type LeftOut, type TargetOutcome} from '#model/job.ts'
import {countsText, nounOf, outcomeNames, targetsWords} from '#text/acts.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nothingToDo} from '#text/states.ts'

import type {Look, Tone} from '#ui/Tag.tsx'

type Counts = JobSummary['counts']

const looks: Readonly<Record<TargetOutcome, readonly [shape: string, tone: Tone, meaning: string]>> = {
	done: ['●', 'ok', 'Target state confirmed.'],
	nothing_to_do: ['○', 'plain', 'No change needed.'],
	accepted: ['◔', 'hold', 'Accepted by the service. Waiting for confirmation.'],
	sending: ['◔', 'accent', 'The request is on its way.'],
	waiting: ['◌', 'plain', 'Not sent yet.'],
	failed: ['✕', 'bad', 'Rejected by the service, or not carried out by the agent.'],
	unknown: ['?', 'warn', 'Outcome unknown. Check the target before retrying.'],
	not_confirmed: ['◕', 'warn', 'Accepted, but not confirmed in time.'],
	not_tried: ['–', 'plain', 'The job stopped before sending this change.']
}

export function outcomeLook(outcome: TargetOutcome): Look & {meaning: string} {
	const [shape, tone, meaning] = looks[outcome]
	return {shape, word: outcomeNames[outcome], tone, meaning}
}

const phases: Readonly<Record<JobPhase, {word: string; look: Tone}>> = {
	applying: {word: 'running', look: 'accent'},
	observing: {word: 'confirming', look: 'hold'},
	stopping: {word: 'stopping', look: 'warn'},
	done: {word: 'completed', look: 'ok'},
	stopped: {word: 'stopped', look: 'warn'},
	interrupted: {word: 'interrupted', look: 'bad'}
}

/** A job that ends with failures has not succeeded. */
export function phaseView(summary: JobSummary): {word: string; look: Tone} {
	if (summary.waitingUntil !== null && isRunning(summary)) return {word: 'waiting for API limit', look: 'warn'}
	if (summary.phase !== 'done') return phases[summary.phase]
	const open = needSomebody(summary.counts)
	return open === 0 ? phases.done : {word: 'completed with issues', look: 'bad'}
}

export function isRunning({phase}: Pick<JobSummary, 'phase'>) {
	return phase === 'applying' || phase === 'observing' || phase === 'stopping'
}

export function canStop({phase, counts}: Pick<JobSummary, 'phase' | 'counts'>) {
	return phase === 'applying' && counts.waiting + counts.sending > 0
}

export function needSomebody(counts: Counts): number {
	return counts.failed + counts.unknown + counts.not_confirmed + counts.not_tried
}

/** Targets that a retry would plan again exist. */
export function canRetry({phase, counts}: Pick<JobSummary, 'phase' | 'counts'>): number {
	// The others are still watched.
	if (phase === 'observing') return counts.failed + counts.not_tried
	return phase === 'done' || phase === 'stopped' ? needSomebody(counts) : 0
}

/** The chosen outcomes with another one, or without it. */
export function toggled(chosen: readonly TargetOutcome[], outcome: TargetOutcome): TargetOutcome[] {
	return chosen.includes(outcome) ? chosen.filter(each => each !== outcome) : [...chosen, outcome]
}

/** While a job runs, unknown outcomes may still be seen. */
export function endedOf({counts, endedAt}: Pick<JobSummary, 'counts' | 'endedAt'>): number {
	const open = endedAt === null ? [...openOutcomes, 'unknown'] : openOutcomes
	return targetOutcomes.reduce((sum, outcome) => sum + (open.includes(outcome) ? 0 : counts[outcome]), 0)
}

const openOutcomes: readonly string[] = ['waiting', 'sending', 'accepted']

/** `41 done · 9 not sent` */
export function countsWords(counts: Counts): string {
	return countsText(counts, ' · ')
}

/** What *stop sending* means now: what was sent stays sent. */
export function stopWords({kind, counts}: Pick<JobSummary, 'kind' | 'counts'>): string {
	const [sent, left] = [sentOf(counts), counts.waiting]
	const what = nounOf(kind, left)
	const rest = `${formatCount(left)} ${what} will not be sent.`
	if (sent === 0) return rest
	return `${counted(sent, ['was', 'were'])} sent and ${formOf(sent, ['keeps its own state; it is watched to its', 'keep their own state; they are watched to their'])} end. ${rest}`
}

/** Total in = total out (R18): once a job has ended, every target has exactly one outcome. */
export function totalWords({kind, targets, counts, endedAt}: JobSummary): {text: string; isEven: boolean} {
	const out = targetOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
	const isEven = out === targets
	const ended = endedOf({counts, endedAt})
	const whole = targetsWords(kind, targets)
	const even = ended === out ? `${whole}: all finished.` : `${whole}: ${formatCount(ended)} ended, ${formatCount(out - ended)} still open.`
	const text = isEven ? even : `${whole} in, but ${formatCount(out)} out: the records of this job do not add up.`
	return {text, isEven}
}

const leftOutTitles: Readonly<Record<LeftOut['kind'], string>> = {
	review: 'Needs separate review',
	protected: 'Protected',
	not_possible: 'Not possible',
	nothing_to_do: nothingToDo.title,
	not_found: 'Not found',
	invalid: 'Invalid',
	duplicate: 'Duplicate'
}

const leftOutOrder: readonly LeftOut['kind'][] = ['not_found', 'invalid', 'protected', 'not_possible', 'review', 'nothing_to_do', 'duplicate']

export interface LeftOutGroup {
	kind: LeftOut['kind']
	title: string
	rows: readonly LeftOut[]
}

/** By reason; targets not found come first. */
export function leftOutGroups(leftOut: readonly LeftOut[]): readonly LeftOutGroup[] {
	const groups = Map.groupBy(leftOut, ({kind}) => kind)
	return leftOutOrder.flatMap(kind => {
		const rows = groups.get(kind)
		return rows === undefined ? [] : [{kind, title: leftOutTitles[kind], rows}]
	})
}

/** `1, then 5, then 6` */
export function wavesWords(waves: readonly number[]): string {
	return waves.map((size, index) => `${index === 0 ? '' : 'then '}${formatCount(size)}`).join(', ')
}

/** `stops when more than 20% fail` */
export function stopShareWords(share: number): string {
	if (share >= 1) return 'does not stop for failures'
	return share === 0 ? 'stops after the first failure' : `stops when more than ${Math.round(share * 100)}% fail`
}

export function observedWords(observed: Readonly<Record<string, string | boolean | null>>): string {
	const {isolation, available, ...rest} = observed
	const parts = [
		...(typeof isolation === 'string' ? [isolation.replaceAll('_', ' ')] : []),
		...(available === false ? ['isolation not available'] : []),
		...Object.entries(rest).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueWords(value)}`)
	]
	return parts.join(', ')
}

function valueWords(value: string | boolean | null) {
	if (value === null) return 'none'
	return value === true ? 'yes' : value === false ? 'no' : value
}
