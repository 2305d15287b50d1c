/** A playbook as a run of the engine: its commands go through the runner, and the log records its start and end. */
import {findCommand} from '#shared/commands/catalogue.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import {CordonError, foundOrNull, invalidArgument, hasCode} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import {normalGuid} from '#model/formats.ts'
import type {LogEntry} from '#model/incident.ts'
import {isolateCommand, releaseCommand} from '#model/isolation.ts'

import type {CommandRequest, Runner} from '#core/actions/commands/types.ts'
import {approvalId, type Approvals} from '#core/approvals/approvals.ts'
import {digestOfJson} from '#base/canonical.ts'
import type {Clock} from '#base/ports.ts'
import {stepErrorOf} from '#core/engine/ends.ts'
import {attemptsOf, type RunHead, type StepRow} from '#core/engine/port.ts'
import type {Outcome, Program, Recovery, RunContext} from '#core/engine/types.ts'
import {allEntries, mayLinger} from '#core/record/incidents/all-entries.ts'
import {knownIncident} from '#core/record/incidents/known.ts'
import type {IncidentLog, LogSearch, NewEntry} from '#core/record/incidents/types.ts'
import {foundConnection, refuseElsewhere} from '#core/service/connections/found.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {approvingHands} from './approving.ts'
import {interpret, NotApproved, playbookKind, type Hands, type Order, type PinnedPlaybook, type Where} from './interpreter.ts'
import {guidOf, resolved, textAt, valueAt, type Ask} from './names.ts'
import {sendOutside, type SecretOf} from './outside.ts'
import type {CommandOrder, NoteOrder, Wanted} from './routes.ts'
import {givenVariables, longestValue, valuesOf} from './variables.ts'
import {within} from './within.ts'

export interface PlaybookActors {
	clock: Clock
	log: Pick<IncidentLog, 'append' | 'matching' | 'about' | 'entry' | 'incidents' | 'newest'>
	runner: Pick<Runner, 'run' | 'foresee'>
	connections: Pick<Connections, 'find'>
	/** Default: a step that needs an approval fails. */
	approvals?: Pick<Approvals, 'propose' | 'find' | 'claim' | 'timeOut' | 'withdraw'> | undefined
	/** Other addresses listed in the guard rules of a connection. Default: none. */
	origins?: ((connection: string) => readonly string[]) | undefined
	/** Default: none. */
	secretOf?: SecretOf | undefined
	onTrouble: (message: string, error: unknown) => void
	/** Whether the target of its connection is gone, such as a sandbox tenant. */
	forgets?: ((connection: Connection) => boolean) | undefined
}

/** Also resolves the names in an order to GUIDs. */
export interface PlaybookHands extends Hands {
	named(order: CommandOrder, where: Where): Promise<CommandOrder>
	foresee(order: CommandOrder, where: Where, ahead: number): ReturnType<Runner['foresee']>
	incident(order: NoteOrder): Promise<string | null>
}

/** The run that owns the steps. */
type Owned = Pick<RunContext, 'run'>

/** A run active this recently continues automatically. */
const goesOnForMs = 30 * 60_000

export function playbookProgram(actors: PlaybookActors): Program {
	return {
		kind: playbookKind,
		version: 1,
		begin: context => tellBegin(actors, context),
		run: async context => {
			const pinned = pinnedOf(context)
			try {
				const variables = await interpret(context, pinned, handsOf(actors, context, pinned))
				return {output: {variables: valuesOf(variables)}}
			} catch (error) {
				if (error instanceof NotApproved) return {state: 'failed', because: error.message, output: {code: error.code}}
				throw error
			}
		},
		recover: (run, now) => recoveryOf(actors, run, now),
		ending: async (run, steps) => {
			await tellEnd(actors, run, steps)
			if (run.state === 'cancelled') await withdrawOpen(actors, steps)
		}
	}
}

/** What a run was waiting for is nobody's question after its cancellation. */
async function withdrawOpen({approvals}: PlaybookActors, steps: readonly StepRow[]) {
	for (const {kind, input} of steps) {
		// Written by the interpreter.
		const id = kind === 'decision' ? (input as {approval?: string}).approval : undefined
		if (id !== undefined && approvals?.find(id)?.state === 'pending') await approvals.withdraw(id, 'The run was cancelled.', 'playbook')
	}
}

function pinnedOf({definition}: Pick<RunContext, 'definition'>) {
	// Written by `Playbooks.start` or by a playbook-action.
	return definition as PinnedPlaybook
}

function recoveryOf({connections, forgets}: PlaybookActors, run: RunHead, now: number): Recovery {
	const connection = foundConnection(connections, run.subject)
	if (connection === undefined || run.state === 'held') return {kind: 'leave'}
	if (forgets?.(connection) === true) return {kind: 'end', because: 'The sandbox was started anew. Nothing was sent to it.'}
	if (now - run.aliveAt <= goesOnForMs) return {kind: 'go_on'}
	return {kind: 'hold', because: 'Cordon ended during the run, a while ago. Resume or cancel the run.'}
}

function noteOf({connections}: Pick<PlaybookActors, 'connections'>, run: RunHead, message: string, more: object = {}): NewEntry {
	const {incident, playbook, digest} = run.facts
	const found = foundConnection(connections, run.subject)
	return {
		...{kind: 'note', surface: 'playbook', message, data: {run: run.id, playbook, digest, ...more}},
		...(typeof incident === 'string' && {incident}),
		...(found && {connection: {id: found.id, name: found.name, url: found.url}})
	}
}

/** Without its start in the log there is no run. */
async function tellBegin({log, connections}: PlaybookActors, {run, resumed}: RunContext) {
	const message = `Playbook started: ${run.title}. Started by ${run.startedBy}.`
	if (resumed && (await notesOf({log}, run)).length > 0) return
	await log.append(noteOf({connections}, run, message))
}

async function notesOf({log}: Pick<PlaybookActors, 'log'>, run: RunHead) {
	const entries = await entriesSince(log, run, {kinds: ['note'], surface: 'playbook'})
	return entries.filter(({data}) => data?.['run'] === run.id)
}

/** From the start of the run, whatever the clock says since. */
export async function entriesSince(
	log: Pick<IncidentLog, 'matching'>,
	{facts: {logSeq}, startedAt}: Pick<RunHead, 'facts' | 'startedAt'>,
	query: LogSearch
): Promise<readonly LogEntry[]> {
	const since = new Date(startedAt - 1000).toISOString() // of an earlier version
	return await (typeof logSeq === 'number' ? allEntries(log, query, logSeq) : allEntries(log, {...query, since}))
}

async function noteAt(actors: Pick<PlaybookActors, 'log'>, run: RunHead, step: string) {
	return (await notesOf(actors, run)).find(({data}) => data?.['step'] === step)
}

/** Once for the attempts that led to it: after a kill the entry is found, and a retry has its own end. */
async function tellEnd({log, connections, onTrouble}: PlaybookActors, run: RunHead, steps: readonly StepRow[]) {
	const words = {done: 'completed', failed: 'failed', cancelled: 'cancelled', open: 'open', held: 'interrupted'} as const
	const because = run.because === null ? '' : ` ${run.because}`
	const attempts = attemptsOf(steps)
	const message = `Playbook ${words[run.state]}: ${run.title}.${because}`
	try {
		const told = run.epoch > 1 ? await notesOf({log}, run) : []
		if (told.some(note => note.message === message && note.data?.['attempts'] === attempts)) return
		await log.append(noteOf({connections}, run, message, {attempts}))
	} catch (error) {
		onTrouble('The end of a playbook could not be written to the incident log.', error)
	}
}

export function handsOf(actors: PlaybookActors, context: Owned, pinned: PinnedPlaybook): PlaybookHands {
	return {
		perform: (order, where, timeoutMs) => within(actors.clock, where, timeoutMs, at => perform(actors, context, pinned, order, at)),
		named: async (order, where) => ({...order, args: await resolved(asking(actors, context, pinned, where), order.args)}),
		foresee: (order, where, ahead) => actors.runner.foresee({...requestOf(actors, context, pinned, where, order), ahead}),
		incident: order => knownIncident(actors.log, order.incident),
		settle: (order, where) => settle(actors, context, pinned, order, where),
		tell: async (step, message) => {
			await actors.log.append(noteOf(actors, context.run, message, {step}))
		},
		isTold: async step => (await noteAt(actors, context.run, step)) !== undefined,
		...approvingHands(actors, context, pinned),
		pin: (document, variables) => {
			const digest = digestOfJson(document)
			const definition: PinnedPlaybook = {...pinned, document, digest, variables: givenVariables(document, variables)}
			return {definition, facts: {...context.run.facts, playbook: document.id, digest}}
		}
	}
}

async function perform(actors: PlaybookActors, context: Owned, pinned: PinnedPlaybook, order: Order, where: Where) {
	const asks = asking(actors, context, pinned, where)
	if (order.kind === 'guid') return await guidOf(asks, order.computer)
	if (order.kind === 'note') {
		const incident = await knownIncident(actors.log, order.incident)
		const note = noteOf(actors, context.run, order.text, {step: where.step})
		return (await actors.log.append({...note, ...(incident !== null && {incident})})).id
	}
	if (order.kind === 'outside') {
		const {origin, pathname} = new URL(order.url)
		const message = `${order.method} ${pathname} to ${origin}.`
		await actors.log.append(noteOf(actors, context.run, message, {step: where.step, origin}))
		return await sendOutside(order, actors.origins?.(pinned.connection) ?? [], where.signal, actors.secretOf)
	}
	checkWanted(order)
	const named = {...order, args: await resolved(asks, order.args)}
	try {
		return bodyOf(named, await asks(named), actors.clock.now())
	} catch (error) {
		// Another process or an earlier attempt did it: the wanted state is there.
		const isThere = hasCode(error, 'conflict', 'not_found')
		if (!isThere || isRead(order) || !(await isReached(actors, pinned, asks, named))) throw error
		return plainBody(named)
	}
}

function asking(actors: PlaybookActors, {run}: Owned, pinned: PinnedPlaybook, where: Where): Ask {
	return async order => {
		const {connection, url} = pinned
		if (url !== undefined) refuseElsewhere(actors.connections.find(connection), {url}, 'connection')
		return await actors.runner.run(requestOf(actors, {run}, pinned, where, order))
	}
}

function requestOf(
	actors: PlaybookActors,
	{run}: Owned,
	{connection, incident, proposes}: PinnedPlaybook,
	where: Where,
	{name, args, reason, ticket, confirm, leaseHours = null, autoRelease = false, wait, all}: Parameters<Ask>[0]
): CommandRequest {
	const risk = findCommand(name)?.risk
	return {
		...{name, args, connection, surface: 'playbook', incident, signal: where.signal},
		agreement: {reason: reason ?? undefined, ticket: ticket ?? undefined, confirm: confirm ?? undefined},
		options: {...(all === true && {all}), ...(typeof wait === 'number' && {wait})},
		...(risk === 'isolate' && {isolation: {code: 'service', lease: leaseHours === null ? null : {hours: leaseHours, auto: autoRelease}}}),
		facts: {run: run.id, step: where.step},
		approval: approvalFor(actors, run.id, where),
		...(proposes === true && risk !== 'read' && {propose: 'always', requester: run.startedBy})
	}
}

/** One that was refused holds for its attempt: a retry asks anew. */
function approvalFor({approvals}: PlaybookActors, run: string, {step, attempt}: Where) {
	const ids = Array.from({length: attempt}, (_, before) => approvalId(run, step, ...(before === 0 ? [] : [String(before)])))
	const stands = (id: string) => ['pending', 'approved', 'used'].includes(approvals?.find(id)?.state ?? '')
	return ids.find(stands) ?? ids.at(-1) ?? ''
}

export function isRead({name}: Pick<CommandOrder, 'name'>) {
	return (findCommand(name)?.risk ?? 'read') === 'read'
}

/** Before anything is sent. Throws `invalid_argument` for a filter that cannot be read. */
export function checkWanted({wanted}: Pick<CommandOrder, 'wanted'>) {
	recordsWanted(wanted, [], 0)
}

/** The wanted part of a response, as text. */
export function bodyOf(order: CommandOrder, {data, total, missing = [], message}: CommandResult, now: number) {
	// A part is not told as the whole.
	if (isRead(order) && missing.length > 0) throw new CordonError('incomplete', message, {missing})
	const {select, count}: Wanted = order.wanted
	const all: readonly unknown[] = Array.isArray(data) ? data : [data]
	const records = recordsWanted(order.wanted, all, now)
	if (count) return String(records === all ? (total ?? all.length) : records.length)
	const text =
		select === null
			? jsonOf(records === all ? (data ?? null) : records)
			: records
					.map(one => textAt(one, select))
					.filter(Boolean)
					.join(',')
	if (text === '' && !isRead(order)) return plainBody(order)
	if (text.length <= longestValue) return text
	throw invalidArgument('The answer is too long for a variable. Use select, count or limit.', 'select')
}

/** Of a list no further than fits: all computers of a large tenant would take a second, to be refused. */
function jsonOf(value: unknown) {
	if (!Array.isArray(value)) return JSON.stringify(value)
	let text = '['
	for (const one of value) {
		if (text.length > longestValue) break
		text += `${text === '[' ? '' : ','}${JSON.stringify(one ?? null)}`
	}
	return `${text}]`
}

const dayMs = 86_400_000

/** The same array when nothing narrows it. */
function recordsWanted({same, other, before, twice}: Wanted, all: readonly unknown[], now: number) {
	let kept = all
	if (same !== null) kept = kept.filter(hasValue(pairOf('same', same)))
	if (other !== null) {
		const isOther = hasValue(pairOf('other', other))
		kept = kept.filter(one => !isOther(one))
	}
	if (before !== null) {
		const [path, days] = pairOf('before', before, /^\d+(?:\.\d+)?$/)
		kept = kept.filter(one => Date.parse(textAt(one, path)) < now - Number(days) * dayMs)
	}
	if (twice !== null) {
		const shared = Map.groupBy(kept, one => textAt(one, twice).toLowerCase())
		shared.delete('') // missing values are not the same
		kept = [...shared.values()].filter(same => same.length > 1).flat()
	}
	return kept
}

function pairOf(name: string, given: string, pattern = /^/) {
	const at = given.indexOf(':')
	const pair = [given.slice(0, at), given.slice(at + 1)] as const
	if (at > 0 && pattern.test(pair[1])) return pair
	throw invalidArgument(`${name} needs a path and a value, such as ${name === 'before' ? 'last_seen:30' : 'status:isolated'}.`, name)
}

function hasValue([path, value]: ReturnType<typeof pairOf>) {
	return (record: unknown) => textAt(record, path).toLowerCase() === value.toLowerCase()
}

/** The result of a change that took effect when its response is missing. */
export function plainBody({name, args}: CommandOrder) {
	if (name === isolateCommand) return 'pending_start'
	if (name === releaseCommand) return 'pending_stop'
	return String(args['sha256'] ?? args['group_guid'] ?? 'done')
}

/** The log tells whether it was sent, then the service whether it took effect; later changes by others are left alone. */
async function settle(
	actors: PlaybookActors,
	context: Owned,
	pinned: PinnedPlaybook,
	order: CommandOrder | NoteOrder,
	where: Where
): Promise<Outcome> {
	if (order.kind === 'note') {
		const note = await noteAt(actors, context.run, where.step)
		return note === undefined ? {phase: 'not_done'} : {phase: 'done', output: note.id}
	}
	const {intent, outcome, later} = await tracesOf(actors, context, pinned, where.step)
	if (intent === undefined || outcome?.kind === 'command.failed') return {phase: 'not_done'}
	const asks = asking(actors, context, pinned, where)
	// Of what was asked for: a name may be that of another by now.
	const sent = Object.entries(intent.args ?? {}).flatMap(([name, value]) => (name.endsWith('_guid') ? [[name, String(value)] as const] : []))
	const named = {...order, args: {...order.args, ...Object.fromEntries(sent)}}
	const isThere = outcome?.kind === 'command.succeeded' || (await isReached(actors, pinned, asks, named))
	if (isThere === true) return {phase: 'done', output: plainBody(named)}
	if (isThere === false && !later) return {phase: 'not_done'}
	const why = isThere === false ? 'someone has changed this since' : 'the isolation shown may be one that was just released'
	return {
		phase: 'unknown',
		error: stepErrorOf(new CordonError('outcome_unknown', `The answer did not arrive, and ${why}. Nothing was sent again.`))
	}
}

async function tracesOf(
	{log}: PlaybookActors,
	{run}: Owned,
	{connection}: PinnedPlaybook,
	step: string
): Promise<{intent?: LogEntry; outcome?: LogEntry; later: boolean}> {
	const entries = await entriesSince(log, run, {writesOnly: true, connection})
	const intents = entries.filter(({kind}) => kind === 'command.requested')
	const intent = intents.findLast(({data}) => data?.['run'] === run.id && data['step'] === step)
	if (intent === undefined) return {later: false}
	const outcome = entries.find(({about, kind}) => about === intent.id && kind !== 'command.observed')
	const later = intents.some(one => one.seq > intent.seq && isSameTarget(one, intent))
	return {intent, later, ...(outcome !== undefined && {outcome})}
}

function isSameTarget(one: LogEntry, other: LogEntry) {
	return one.target?.guid === other.target?.guid && one.args?.['sha256'] === other.args?.['sha256']
}

/** Whether the service has the state that the change would leave; `undefined`: it may show one from before. */
async function isReached({log, clock}: PlaybookActors, {connection}: PinnedPlaybook, asks: Ask, {name, args}: CommandOrder) {
	const pick = (...names: readonly string[]) => Object.fromEntries(names.map(one => [one, args[one] ?? '']))
	switch (name) {
		case isolateCommand:
		case releaseCommand: {
			const {data} = await asks({name: 'svc_get_computers_isolation', args: pick('connector_guid')})
			const status = String(valueAt(data, ['status']))
			if (name === releaseCommand) return ['not_isolated', 'pending_stop'].includes(status)
			if (status !== 'isolated') return status === 'pending_start'
			const guid = normalGuid(String(args['connector_guid']))
			return (await mayLinger(log, connection, guid, new Date(clock.now()).toISOString())) ? undefined : true
		}
		case 'svc_move_computer': {
			const {data} = await asks({name: 'svc_get_computer_by_connector', args: pick('connector_guid')})
			return String(valueAt(data, ['group_guid'])).toLowerCase() === String(args['group_guid']).toLowerCase()
		}
		case 'svc_set_group_policy': {
			const {data} = await asks({name: 'svc_get_group', args: pick('group_guid')})
			const has = JSON.stringify(valueAt(data, ['policies']) ?? []).toLowerCase()
			return Object.entries(args).every(([key, value]) => key === 'group_guid' || has.includes(String(value).toLowerCase()))
		}
		default: {
			const item = {name: 'svc_get_file_list_files_by_sha', args: pick('file_list_guid', 'sha256')}
			const there = (await foundOrNull(asks(item))) !== null
			return name === 'svc_set_file_list_files_by_sha' ? there : !there
		}
	}
}
