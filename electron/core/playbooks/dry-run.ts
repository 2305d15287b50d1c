/**
 * A dry run: it reads for real, and records every change that it would make. Effects are taken for granted: questions are
 * answered yes, waits end at once with the awaited state.
 */
import {CordonError, messageOf} from '#contract/errors.ts'
import type {DryRun, DryStep} from '#model/playbook.ts'

import {isFailure, RunFailed, stepErrorOf} from '#core/engine/ends.ts'
import type {RunRow, StepRow} from '#core/engine/port.ts'
import type {Act, Outcome} from '#core/engine/types.ts'
import {changes} from './graph.ts'
import {interpret, type Operations, type Order, type PinnedPlaybook, type Where} from './interpreter.ts'
import {handsOf, isRead, plainBody, type PlaybookActors, type PlaybookHands} from './program.ts'
import {isReading} from './outside.ts'
import type {CommandOrder} from './routes.ts'
import {answeredBy, misfit, valuesOf} from './variables.ts'

/** A loop that only a real change could end is left after this many visits of a step. */
const mostVisits = 20
/** One write, and about this many readings until the agent has answered. */
const callsOfIsolation = 9

export async function dryRun(actors: PlaybookActors, pinned: PinnedPlaybook, signal: AbortSignal): Promise<DryRun> {
	const steps: DryStep[] = []
	const tell = (step: DryStep) => void steps.push(step)
	let because: string | null = null
	const open = new Map<string, boolean>()
	try {
		await goThrough(actors, pinned, {signal, tell, changed: new Set(), isolated: new Set(), open, path: ''})
	} catch (error) {
		if (!(error instanceof CordonError || isFailure(error))) throw error
		because = messageOf(error)
	}
	const made = steps.filter(({kind}) => kind === 'change')
	const unreached = [...open.values()].filter(isReached => !isReached)
	return {steps, because, changes: made.length, calls: made.reduce((sum, {calls}) => sum + calls, 0), open: unreached.length}
}

/** Answers, of which each type of a variable accepts one. */
const assumed = ['yes', 'true', '1', '{}', '192.0.2.1', '::1', '00:00:00:00:00:00', 'x:y'].concat(
	'00000000-0000-4000-8000-000000000000',
	...[32, 64].map(length => '0'.repeat(length))
)

interface Dry {
	signal: AbortSignal
	tell(step: DryStep): void
	/** Computers that an earlier change would have isolated or released. */
	changed: Set<string>
	/** The guard rules count them. */
	isolated: Set<string>
	/** Steps that may change something, by place, which is the same for each round of a loop: whether one reached all of it. */
	open: Map<string, boolean>
	path: string
}

async function goThrough(actors: PlaybookActors, pinned: PinnedPlaybook, dry: Dry) {
	const run = {id: 'dry run', startedAt: actors.clock.now(), facts: {}} as unknown as RunRow // read only by the log
	const real = handsOf(actors, {run}, pinned)
	const names = new Map<string, string>()
	const hands: PlaybookHands = {
		...real,
		perform: (order, where, timeoutMs) => pretend(real, dry, names.get(where.step) ?? '', order, where, timeoutMs),
		tell: async () => {},
		...takenForGranted()
	}
	try {
		return await interpret(operationsOf(actors, dry, hands, names, pinned), pinned, hands)
	} finally {
		noteReached(dry, pinned, new Set([...names.keys()].map(key => key.replace(/^exception\/|#\d+|\/.*/g, ''))))
	}
}

function noteReached({open, path}: Dry, {document: {workflow}}: PinnedPlaybook, reached: ReadonlySet<string>) {
	for (const [id, {type, commands = []}] of Object.entries(workflow)) {
		const changing = commands.flatMap((command, index) => (changes(command) ? [index === 0 ? id : `${id}.${index}`] : []))
		const all = type === 'playbook-action' ? [id] : changing
		const place = `${path.replaceAll(/#\d+/g, '')}${id}`
		if (all.length > 0) open.set(place, open.get(place) === true || all.every(key => reached.has(key)))
	}
}

/** An approval is listed as a question; nobody is asked. */
function takenForGranted(): Pick<PlaybookHands, 'propose' | 'verdict' | 'timeOut'> {
	const asked = new Set<string>()
	return {
		propose: () => 'dry run',
		verdict({step}) {
			if (asked.has(step)) return 'approved'
			asked.add(step)
			return 'pending'
		},
		timeOut: () => {}
	}
}

function operationsOf(
	actors: PlaybookActors,
	dry: Dry,
	hands: PlaybookHands,
	names: Map<string, string>,
	{document}: PinnedPlaybook
): Operations {
	const {signal, tell, path} = dry
	const at = (id: string, name: string) => ({step: `${path}${id}`, name, result: '', calls: 0})
	return {
		halted: signal,
		over: signal,
		perform: async act => {
			signal.throwIfAborted()
			if (Number(/#(\d+)/.exec(act.id)?.[1]) > mostVisits)
				throw new RunFailed(`${act.label ?? act.id} would be repeated more than ${mostVisits} times.`)
			names.set(act.id, act.label ?? act.id)
			return rowOf(act, await act.act({number: 1, signal}))
		},
		sleep: async (id, ms) => tell({...at(id, id), kind: 'pause', what: `${ms / 1000} s`}),
		decision: async ({id, label = id, input}) => {
			// Written by the interpreter.
			const {question, free} = input as {question: string; free: boolean}
			const into = answeredBy(document, id)
			const answer = assumed.find(one => into === undefined || misfit(into, one) === undefined) ?? 'yes'
			tell({...at(id, label), kind: 'question', what: question, result: answer})
			return {payload: {answer, by: 'the dry run', reason: free ? 'assumed' : null}, at: 0}
		},
		child: async ({id, label = id, title, definition}) => {
			tell({...at(id, label), kind: 'playbook', what: title})
			names.set(id, label)
			const own = definition as PinnedPlaybook // made by `Hands.pin`
			const variables = await goThrough(actors, own, {...dry, path: `${path}${id}/`})
			return {variables: valuesOf(variables)}
		},
		all: async branches => {
			const results = []
			for (const branch of branches) results.push(await branch())
			return results
		}
	}
}

function rowOf({id, label = id, input}: Act, outcome: Outcome): StepRow {
	const error = 'error' in outcome ? outcome.error : null
	return {
		...{id, label, input, kind: 'step', tag: '', position: 0, attempt: 1, digest: null, past: [], due: null},
		...{phase: outcome.phase === 'not_done' ? 'planned' : outcome.phase, output: outcome.output, error},
		...{begunAt: null, endedAt: null}
	}
}

async function pretend(
	real: PlaybookHands,
	{tell, changed, isolated, path}: Dry,
	name: string,
	order: Order,
	where: Where,
	timeoutMs: number | undefined
) {
	const at = {step: `${path}${where.step}`, name}
	if (order.kind === 'note') {
		await real.incident(order)
		tell({...at, kind: 'note', what: order.text, result: '', calls: 0})
		return 'note'
	}
	if (order.kind === 'outside') {
		const result = isReading(order) ? await real.perform(order, where, timeoutMs) : ''
		const kind = isReading(order) ? 'read' : 'change'
		tell({...at, kind, what: `${order.method} ${order.url}`, result, calls: 0})
		return result
	}
	let kind: DryStep['kind'] = 'read'
	const what = order.kind === 'guid' ? order.computer : wordsOf(order)
	try {
		const named = order.kind === 'guid' ? order : await real.named(order, where)
		if (named.kind === 'command' && !isRead(named)) {
			kind = 'refused'
			const waits = await real.foresee(named, where, isolated.size)
			const result = plainBody(named)
			const isolates = named.name.includes('isolation')
			const guid = String(named.args['connector_guid'])
			if (isolates) changed.add(guid)
			if (result === 'pending_start') isolated.add(guid)
			const told = {what: wordsOf(named), result: waits ? 'Others have to approve it first.' : result}
			tell({...at, ...told, kind: 'change', calls: isolates ? callsOfIsolation : 1})
			return result
		}
		const result = await read(real, named, where, timeoutMs, changed)
		tell({...at, kind: 'read', what, result, calls: 0})
		return result
	} catch (error) {
		tell({...at, kind, what, result: stepErrorOf(error).message, calls: 0})
		throw error
	}
}

/** An awaited state counts as reached after a change that would cause it; otherwise one reading without a wait. */
async function read(real: PlaybookHands, order: Order, where: Where, timeoutMs: number | undefined, changed: ReadonlySet<string>) {
	if (order.kind !== 'command' || order.wait === null) return await real.perform(order, where, timeoutMs)
	const {status, ...args} = order.args
	if (typeof status === 'string' && changed.has(String(args['connector_guid']))) return status
	return await real.perform({...order, args, wait: null}, where, timeoutMs)
}

function wordsOf({name, args}: CommandOrder) {
	return [name, ...Object.entries(args).map(([key, value]) => `${key}=${String(value)}`)].join(' ')
}
