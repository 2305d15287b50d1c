/** Requested, accepted and confirmed are three facts with three times; this combines them from the log. */
import type {EntryKind, LogEntry} from '#model/incident.ts'
import {isHeld, isolateCommand, type IsolationReceipt, releaseCommand} from '#model/isolation.ts'
import {jobMark, logMark} from '#text/isolation.ts'

export interface Reading {
	readonly state: string
	/** ISO 8601. */
	readonly at: string
}

type Action = IsolationReceipt['action']

const outcomes: ReadonlySet<EntryKind> = new Set(['command.succeeded', 'command.failed', 'command.outcome_unknown'])

export function wantedState(action: Action): 'isolated' | 'not_isolated' {
	return action === 'isolate' ? 'isolated' : 'not_isolated'
}

/** In the comment of this request. */
export function markOf({id, data}: LogEntry) {
	const job = data?.['job']
	return typeof job === 'string' ? jobMark(job) : logMark(id)
}

/**
 * The receipt of the newest isolation request in `entries` (intents of one computer with their outcomes, any order); `null`
 * when Cordon sent none. A request that only met the state of an earlier one does not replace that one.
 */
export function receiptOf(entries: readonly LogEntry[], reading?: Reading): IsolationReceipt | null {
	const intents = isolationIntents(entries)
	const intent = intents.find(one => isRelease(one) || !metAnother(outcomeOf(entries, one))) ?? intents[0]
	if (intent === undefined) return null
	const action = isRelease(intent) ? 'release' : 'isolate'
	const about = entries.filter(entry => entry.about === intent.id)
	return {
		action,
		requested: {at: intent.at, by: intent.operator, reason: reasonOf(intent), entry: intent.id},
		...answerOf(outcomeOf(entries, intent)),
		...observationOf(action, intent, about, reading),
		...(reading !== undefined && {checked: reading})
	}
}

/** Refused requests no longer want anything. */
export function withoutRefused(entries: readonly LogEntry[]): readonly LogEntry[] {
	return entries.filter(entry => outcomeOf(entries, entry)?.kind !== 'command.failed')
}

/** Newest first. */
function isolationIntents(entries: readonly LogEntry[]) {
	const ours = entries.filter(({kind, command}) => kind === 'command.requested' && (command === isolateCommand || command === releaseCommand))
	return ours.toSorted((one, other) => other.seq - one.seq)
}

/** By the service's answer, or by a reading after that was lost. */
function metAnother(outcome: LogEntry | undefined) {
	return outcome?.status === 409 || outcome?.data?.['code'] === 'conflict'
}

function isRelease({command}: LogEntry) {
	return command === releaseCommand
}

function outcomeOf(entries: readonly LogEntry[], intent: LogEntry) {
	return entries.find(entry => entry.about === intent.id && outcomes.has(entry.kind))
}

/** A release may carry its comment under another name; the intent then says what was sent. */
function reasonOf(intent: LogEntry) {
	const reason = intent.args?.['comment'] ?? intent.data?.['comment']
	return typeof reason === 'string' ? reason : ''
}

function answerOf(outcome: LogEntry | undefined): Pick<IsolationReceipt, 'accepted' | 'refused'> {
	if (outcome === undefined) return {}
	if (outcome.kind === 'command.succeeded') return {accepted: acceptance(outcome)}
	const unknown = outcome.kind === 'command.outcome_unknown'
	return {refused: {at: outcome.at, message: outcome.message, unknown}}
}

function acceptance(outcome: LogEntry): NonNullable<IsolationReceipt['accepted']> {
	const state = stateIn(outcome)
	return {
		at: outcome.at,
		...(outcome.status !== null && {status: outcome.status}),
		...(outcome.requestId !== null && {requestId: outcome.requestId}),
		...(state !== undefined && {state})
	}
}

/** Its answer was lost, and what was there afterwards is somebody else's: no later reading confirms it. */
export function isOthers({command}: LogEntry, about: readonly LogEntry[]) {
	const outcome = about.find(({kind}) => outcomes.has(kind))
	if (command !== isolateCommand || outcome === undefined) return false
	return outcome.kind === 'command.outcome_unknown' ? isHeld(stateIn(outcome)) : outcome.status !== 409 && metAnother(outcome)
}

function stateIn({data}: LogEntry) {
	const state = data?.['state']
	return typeof state === 'string' ? state : undefined
}

/** A confirmation needs a reading after the answer: a state read before the request proves nothing about it. */
function observationOf(
	action: Action,
	intent: LogEntry,
	about: readonly LogEntry[],
	reading: Reading | undefined
): Pick<IsolationReceipt, 'observed'> {
	const wanted = wantedState(action)
	const seen = about.find(entry => entry.kind === 'command.observed')
	if (seen !== undefined) return {observed: {state: stateIn(seen) ?? wanted, at: seen.at}}
	if (isOthers(intent, about)) return {}
	const outcome = about.find(entry => entry.kind === 'command.succeeded')
	if (outcome !== undefined && stateIn(outcome) === wanted) return {observed: {state: wanted, at: outcome.at}}
	const since = outcome?.at ?? intent.at
	return reading?.state === wanted && reading.at > since ? {observed: reading} : {}
}
