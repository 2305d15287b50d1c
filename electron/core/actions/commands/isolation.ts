import {firstPauseMs, nextPause} from '#core/actions/isolation/pace.ts'
import {deleteIsolation, getIsolation, putIsolation} from '#core/service/api/endpoints/isolation.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {Answered, CallOptions} from '#core/service/api/types.ts'
import type {CommandArgs} from '#shared/commands/catalogue.ts'
import {CordonError, errorTable, hasCode} from '#contract/errors.ts'
import type {Isolation} from '#model/isolation.ts'
import {byWords, markIn, plainState, requestedBy, stateSentence, stateWords} from '#text/isolation.ts'
import {counted} from '#text/numbers.ts'
import {aboutComputer} from './about-computer.ts'
import {type Recovery, sendOnce} from './lost-answer.ts'
import {answerFacts, recordOutcome, reworded} from './outcome.ts'
import type {FamilyHandlers, HandlerContext, HandlerOutcome} from './types.ts'

const longestPauseMs = 10_000
const oneReadMs = 60_000

function compareState(label: string, answer: Answered<Isolation>, wanted: string): HandlerOutcome {
	const matches = answer.data.status === wanted
	const now = `${label} ${stateWords(answer.data)}.`
	return {...recordOutcome(answer, matches ? now : `${now} Requested state: ${plainState(wanted)}.`), matches}
}

/**
 * Polls until the computer is in the wanted state. Rejects with `wait_timeout` and the last state after `seconds`; if the
 * service never answered, with its last failure.
 */
async function waitForState(context: HandlerContext, guid: string, wanted: string, seconds: number) {
	const {clock} = context
	const end = clock.monotonic() + seconds * 1000
	const until = new Date(clock.now() + seconds * 1000).toISOString()
	let last: Answered<Isolation> | undefined
	let trouble: CordonError | undefined
	for (let pause = firstPauseMs; ; pause = Math.min(nextPause(pause), longestPauseMs)) {
		const reading = await readOnce(context, guid, end - clock.monotonic())
		if (reading instanceof CordonError) trouble = reading
		else last = reading
		if (last?.data.status === wanted && !(reading instanceof CordonError)) return compareState(context.label(guid), last, wanted)
		const left = end - clock.monotonic()
		if (left <= 0) throw timedOut(context.label(guid), wanted, seconds, last, trouble)
		context.onProgress({kind: 'polling', state: last?.data.status ?? 'unknown', until})
		await pauseFor(context, Math.min(pause, left))
	}
}

/** Returns a failure that may pass, so that the wait goes on; throws the others. */
async function readOnce(context: HandlerContext, guid: string, leftMs: number) {
	const limits = {deadlineMs: Math.max(1000, Math.min(oneReadMs, leftMs)), maxQuotaWaitMs: Math.max(0, leftMs)}
	try {
		const answer = await getIsolation(context.client, {connector_guid: guid}, {...context.call, ...limits})
		context.learn.observeIsolation(guid, answer.data, askedAt(answer))
		return answer
	} catch (error) {
		if (error instanceof CordonError && mayPass(error)) return error
		throw error
	}
}

function mayPass({code}: CordonError) {
	const {fault, retry} = errorTable[code]
	return (fault === 'network' || fault === 'service') && retry !== 'no' && code !== 'rate_limited'
}

async function pauseFor({clock, call}: HandlerContext, ms: number) {
	try {
		await clock.sleep(ms, call.signal)
	} catch (error) {
		throw new CordonError('cancelled', 'Stopped waiting on request.', {}, {cause: error})
	}
}

function timedOut(label: string, wanted: string, seconds: number, last: Answered<Isolation> | undefined, trouble: CordonError | undefined) {
	if (last === undefined) return trouble ?? new CordonError('wait_timeout')
	const message = `After ${counted(seconds, ['second', 'seconds'])}, ${label} ${stateWords(last.data)}. Requested state: ${plainState(wanted)}.`
	return new CordonError('wait_timeout', message, {state: last.data.status})
}

type Answer = Answered<Isolation>

const refusalReadMs = 30_000
const justNowMs = 10_000

export const isolationHandlers: FamilyHandlers<'isolation'> = {
	async svc_get_computers_isolation(args, context) {
		const guid = args.connector_guid
		const {wait} = context.options
		return await aboutComputer(context, guid, async () => {
			if (args.status !== undefined && wait !== undefined) return await waitForState(context, guid, args.status, wait)
			const answer = await read(context, guid, context.call)
			if (args.status !== undefined) return compareState(context.label(guid), answer, args.status)
			return recordOutcome(answer, stateSentence(context.label(guid), answer.data))
		})
	},

	async svc_put_computers_isolation(args, context) {
		const guid = args.connector_guid
		return await aboutComputer(context, guid, () =>
			sendOnce(context, () => isolate(args, context), recovery(context, guid, ['pending_start', 'isolated'], startedMessage, args.comment ?? ''))
		)
	},

	async svc_delete_computers_isolation(args, context) {
		const guid = args.connector_guid
		return await aboutComputer(context, guid, () =>
			sendOnce(context, () => release(args, context), recovery(context, guid, ['pending_stop', 'not_isolated'], releasedMessage))
		)
	}
}

async function isolate(args: CommandArgs<'svc_put_computers_isolation'>, context: HandlerContext) {
	const guid = args.connector_guid
	const label = context.label(guid)
	try {
		const answer = await putIsolation(context.client, args, context.call)
		context.learn.observeIsolation(guid, answer.data, answer.at)
		return recordOutcome(answer, startedMessage(label, answer.data))
	} catch (error) {
		if (hasCode(error, 'isolation_not_allowed')) throw notAllowed(error, label)
		if (hasCode(error, 'conflict')) throw await translated(error, guid, context)
		throw error
	}
}

function startedMessage(label: string, {status}: Isolation) {
	if (status === 'isolated') return `${label} is isolated.`
	// The answer may still show the state from before the change.
	if (status === 'pending_start' || status === 'not_isolated') return `The service accepted the isolation of ${label}. Waiting for its agent.`
	return `The service accepted the isolation of ${label}, but still reports ${plainState(status)}. Check its state again.`
}

/** A 409 describes a state, not a fault: the state is read and reported. */
async function translated(refusal: CordonError, guid: string, context: HandlerContext) {
	const label = context.label(guid)
	const answer = await readAfterRefusal(refusal, guid, context)
	if (!answer.data.available && answer.data.status === 'not_isolated') return notAllowed(refusal, label)
	const release = answer.data.status === 'isolated' ? await releaseOf(context, guid) : undefined
	const status = release === undefined ? answer.data.status : 'pending_stop'
	if (release?.kind === 'command.outcome_unknown') {
		const message = `A release of ${label} whose answer was lost may still take effect. Wait for its agent, then isolate the computer again.`
		return reworded(refusal, message, {state: status})
	}
	return reworded(refusal, conflictMessage(label, {...answer.data, status}, sinceWords(context, guid)), {state: status})
}

/** After a release the service may show the isolation for a while. */
async function releaseOf(context: HandlerContext, guid: string) {
	const release = await context.releasedHere(guid).catch(() => undefined)
	return release?.data?.['state'] === 'not_isolated' ? undefined : release
}

/** When the local data first showed this state; a change seen just now tells nothing. */
function sinceWords({stateSince, clock}: HandlerContext, guid: string) {
	const since = stateSince(guid)
	if (since === undefined || clock.now() - Date.parse(since) < justNowMs) return ''
	return ` since ${since.slice(0, 16).replace('T', ' ')} UTC at the latest`
}

function conflictMessage(label: string, isolation: Isolation, since: string) {
	const {status, isolated_by: by} = isolation
	switch (status) {
		case 'isolated':
			return `${label} is already isolated${byWords(by)}${since}. No change needed.`
		case 'pending_start':
			return `${label} is already being isolated${requestedBy(by)}. Wait for its agent.`
		case 'pending_stop':
			return `${label} is still being released. Wait for its agent, then isolate the computer again.`
		default:
			return `The service refused to isolate ${label}, which ${stateWords(isolation)} now.`
	}
}

function notAllowed(error: CordonError, label: string) {
	const details = {...error.details, state: 'not_isolated'}
	return new CordonError(
		'isolation_not_allowed',
		`Isolation of ${label} is not allowed by its policy, or not supported by its system.`,
		details,
		{cause: error}
	)
}

/** The 409 remains the answer when the state cannot be read. */
async function readAfterRefusal(refusal: CordonError, guid: string, context: HandlerContext) {
	const {signal, purpose, onProgress} = context.call
	try {
		return await read(context, guid, {signal, purpose, onProgress, deadlineMs: refusalReadMs})
	} catch {
		throw refusal
	}
}

/** A refusal because the computer is already released or releasing means no change is needed; any other stays a refusal. */
async function release(args: CommandArgs<'svc_delete_computers_isolation'>, context: HandlerContext) {
	const guid = args.connector_guid
	const comment = args.comment ?? args.unlock_code
	try {
		const answer = await deleteIsolation(context.client, {connector_guid: guid, comment}, context.call)
		context.learn.observeIsolation(guid, answer.data, answer.at)
		return recordOutcome(answer, releasedMessage(context.label(guid), answer.data))
	} catch (error) {
		if (!hasCode(error, 'conflict')) throw error
		const answer = await readAfterRefusal(error, guid, context)
		const message = refusedMessage(context.label(guid), answer.data)
		if (!isOneOf(answer, 'not_isolated', 'pending_stop')) throw reworded(error, message, {state: answer.data.status})
		const {status = 409, requestId} = error.details
		return {...recordOutcome(answer, message), ...answerFacts({status, requestId})}
	}
}

function releasedMessage(label: string, {status}: Isolation) {
	if (status === 'not_isolated') return `${label} is no longer isolated.`
	if (status === 'pending_stop' || status === 'isolated') return `The service accepted the release of ${label}. Waiting for its agent.`
	return `The service accepted the release of ${label}, but still reports ${plainState(status)}. Check its state again.`
}

function refusedMessage(label: string, isolation: Isolation) {
	switch (isolation.status) {
		case 'not_isolated':
			return `${label} is not isolated. No change needed.`
		case 'pending_stop':
			return `${label} is already being released. Waiting for its agent.`
		default:
			return `The service refused the release: ${label} ${stateWords(isolation)}.`
	}
}

/**
 * `states`: the change has taken effect, or is about to. Another comment than the one that was sent is that of somebody else; one
 * with the mark of another isolation from here, such as an earlier one whose answer was lost as well, rules this one out. That of a
 * release does not: the computer is about to be released.
 */
function recovery(
	context: HandlerContext,
	guid: string,
	states: readonly string[],
	message: (label: string, isolation: Isolation) => string,
	sent?: string
): Recovery<Answer> {
	const isOthers = ({comment}: Isolation) => {
		const said = comment?.trim() ?? ''
		if (sent === undefined || said === '' || said === sent.trim()) return false
		const mark = markIn(sent)
		return mark === undefined || !said.includes(mark)
	}
	const isThere = async (mark: string) => (await context.isolatedHere(guid, mark)) && (await context.releasedHere(guid)) === undefined
	return {
		read: options => read(context, guid, options),
		words: ({data}) => `${data.status.replaceAll('_', ' ')}${isOthers(data) ? byWords(data.isolated_by) : ''}`,
		state: answer => answer.data.status,
		refusal: async ({data}) => {
			const mark = states.includes(data.status) && isOthers(data) ? markIn(data.comment ?? '') : undefined
			if (mark === undefined || !(await isThere(mark).catch(() => false))) return undefined
			return conflictMessage(context.label(guid), data, sinceWords(context, guid))
		},
		effect: answer =>
			isOneOf(answer, ...states) && !isOthers(answer.data) ? recordOutcome(answer, message(context.label(guid), answer.data)) : undefined
	}
}

function isOneOf(answer: Answer, ...states: readonly string[]) {
	return states.includes(answer.data.status)
}

async function read(context: HandlerContext, guid: string, options: CallOptions) {
	const answer = await getIsolation(context.client, {connector_guid: guid}, options)
	context.learn.observeIsolation(guid, answer.data, askedAt(answer))
	return answer
}
