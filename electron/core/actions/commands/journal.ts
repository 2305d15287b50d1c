import {recordsOf} from '#shared/commands/table.ts'
import {maskedCode} from '#shared/commands/result.ts'
import {CordonError, reportError, hasCode} from '#contract/errors.ts'
import type {EntryKind, Surface} from '#model/incident.ts'

import type {IncidentLog, NewEntry} from '#core/record/incidents/types.ts'
import type {Change} from './approving.ts'
import {titleOf, type Target} from './target.ts'
import type {HandlerOutcome} from './types.ts'

/** Its arguments are without secrets. */
interface JournalSubject extends Change {
	target: Target | null
	surface: Surface
	incident: string | null
	/** Written with the intent, beside the arguments. */
	facts: Readonly<Record<string, unknown>>
	/** Milliseconds since the run began. */
	elapsed: () => number
	masked: (text: string) => string
}

export type Journal = Awaited<ReturnType<typeof journalOf>>

type Log = Pick<IncidentLog, 'append'>

const notWritten = 'The outcome could not be written to the incident log; the intent is there.'

/** Commits the intent. Throws `log_unavailable` when that fails: then nothing may be sent. */
export async function journalOf(log: Log, subject: JournalSubject) {
	const intent = await commitIntent(log, subject)
	const append = (entry: Omit<NewEntry, 'surface'>) => appended(log, {...common(subject, intent), ...entry})
	return {
		intent,
		/** The message to show; it mentions an outcome that could not be logged. */
		async succeeded(outcome: HandlerOutcome) {
			const durationMs = subject.elapsed()
			const written = await append({...successEntry(outcome), durationMs})
			return {message: written ? outcome.message : `${outcome.message} ${notWritten}`, durationMs}
		},
		/** The error to throw, without secrets. */
		async failed(error: unknown) {
			const shown = withoutSecrets(error, subject.masked)
			const written = await append({...failureEntry(shown), durationMs: subject.elapsed()})
			return written ? shown : new CordonError(shown.code, `${shown.message} ${notWritten}`, shown.details, {cause: error})
		}
	}
}

async function commitIntent(log: Log, subject: JournalSubject) {
	const {spec, args, target} = subject
	try {
		const message = titleOf(spec, target)
		const data = intentData(subject)
		const kind = 'command.requested'
		return (await log.append({...common(subject, null), kind, args, message, data})).id
	} catch (error) {
		if (hasCode(error, 'log_unavailable')) throw error
		throw new CordonError('log_unavailable', undefined, {}, {cause: error})
	}
}

function intentData(subject: JournalSubject): Readonly<Record<string, unknown>> | null {
	const data = {...subject.facts, ...commentOf(subject)}
	return Object.keys(data).length === 0 ? null : data
}

/** A release carries its comment as `unlock_code`, a name under which the log masks everything. */
function commentOf({spec, args}: JournalSubject) {
	const comment = args['unlock_code']
	const readable = spec.risk === 'release' && typeof comment === 'string' && comment !== maskedCode
	return readable ? {comment} : null
}

function common({spec, connection, target, surface, incident}: JournalSubject, about: string | null) {
	const {id, name, url} = connection
	return {surface, about, incident, command: spec.name, target, connection: {id, name, url}}
}

async function appended(log: Log, entry: NewEntry) {
	try {
		await log.append(entry)
		return true
	} catch {
		return false
	}
}

function successEntry(outcome: HandlerOutcome) {
	const {message, status, requestId} = outcome
	return {kind: 'command.succeeded' as const, message, status: status ?? null, requestId: requestId ?? null, data: factsOf(outcome)}
}

/** Enough to tell the outcome; the records themselves stay out of the log. */
function factsOf({data, total, missing, matches}: HandlerOutcome): Readonly<Record<string, unknown>> {
	return {
		...(data !== null && recordsOf(data)[0] !== data && {records: recordsOf(data).length}),
		...stateOf(data),
		...(total !== undefined && {total}),
		...(missing !== undefined && missing.length > 0 && {missing}),
		...(matches !== undefined && {matches})
	}
}

function stateOf(data: unknown): {state?: string; by?: string} {
	if (typeof data !== 'object' || data === null || !('status' in data) || !('available' in data)) return {}
	const by = 'isolated_by' in data && typeof data.isolated_by === 'string' ? {by: data.isolated_by} : {}
	return typeof data.status === 'string' ? {state: data.status, ...by} : {}
}

function failureEntry(error: CordonError) {
	const {status, requestId, state, service} = error.details
	const kind: EntryKind = error.code === 'outcome_unknown' ? 'command.outcome_unknown' : 'command.failed'
	const data = {code: error.code, ...(state !== undefined && {state}), ...(service !== undefined && {service})}
	return {kind, message: error.message, status: status ?? null, requestId: requestId ?? null, data}
}

/** The service's texts may echo a code. */
function withoutSecrets(error: unknown, masked: (text: string) => string) {
	const known = error instanceof CordonError ? error : new CordonError('internal', reportError(error).message, {}, {cause: error})
	const {service, fix, ...rest} = known.details
	const details = {...rest, ...(service !== undefined && {service: masked(service)}), ...(fix !== undefined && {fix: masked(fix)})}
	return new CordonError(known.code, masked(known.message), details, {cause: known.cause ?? known})
}
