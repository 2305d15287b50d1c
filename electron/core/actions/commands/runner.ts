/** The one way to run a command: check, guard, log the intent, execute, log the outcome. No log, no action. */
import {refusedWriting} from '#base/read-only.ts'
import {redact} from '#base/redact.ts'
import {createTurns, type Turn} from '#base/turns.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import type {DirectoryLearn} from '#core/replicas/directory/types.ts'
import {allEntries, entriesAbout, recentRelease} from '#core/record/incidents/all-entries.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import {issueWriteToken, revokeWriteToken, type WriteToken} from '#core/service/api/write-token.ts'
import {checkArguments, computerOf} from '#shared/commands/arguments.ts'
import {type CommandName, findCommand} from '#shared/commands/catalogue.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import type {CommandOptions, CommandResult} from '#shared/commands/result.ts'
import {CordonError, hasCode, usageError} from '#contract/errors.ts'
import type {Connection} from '#model/connection.ts'
import {isolateCommand} from '#model/isolation.ts'
import type {WriteMode} from '#model/frame.ts'
import {logMark} from '#text/isolation.ts'
import {markOf} from '../isolation/receipt.ts'
import {admitFor, needApproval} from './approving.ts'
import {notedBefore} from './before.ts'
import {type Kept, takeIntoEscrow, withCode} from './escrow.ts'
import {agreementOf, commentOf, guardTargetOf, subjectOf} from './guarding.ts'
import {handlerOf} from './handlers.ts'
import {type Journal, journalOf} from './journal.ts'
import {runningCounts} from './running.ts'
import {codesIn, secretArguments, shownArguments} from './secrets.ts'
import {labelFrom, lockOf, stateSince, targetOf} from './target.ts'
import type {CommandRequest, HandlerContext, Learn, Runner, RunnerServices} from './types.ts'

type Spec = CommandSpec & {name: CommandName}
type Args = Readonly<Record<string, unknown>>

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Throws the current refusal of the guard rules; else returns what the intent says about the agreement. */
type Admit = (moment: 'prepared' | 'final' | 'stored') => Promise<Readonly<Record<string, unknown>>>

const jobQuotaWaitMs = 5000

export function createRunner(services: RunnerServices): Runner {
	const counts = runningCounts()
	const turn = createTurns()
	return {
		async run(request) {
			const prepared = await prepare(services, request)
			const leave = counts.enter(prepared.connection.id)
			try {
				return await locked(services, turn, request, prepared)
			} finally {
				leave()
			}
		},
		foresee: async request => {
			try {
				await prepare({...services, approvals: undefined}, request)
				return false
			} catch (error) {
				if (hasCode(error, 'approval_needed')) return true
				throw error
			}
		},
		running: counts.of,
		onRunning: counts.listen
	}
}

async function prepare(services: RunnerServices, request: CommandRequest) {
	const spec = findCommand(request.name)
	if (spec === undefined) throw new CordonError('unknown_command', `There is no command ${request.name}.`, {field: 'name'})
	const connection = services.connections.find(request.connection)
	const args: Args = checkArguments(spec, request.args)
	checkOptions(spec, args, request.options ?? {})
	checkMode(spec, connection, services.connections.mode(connection.id))
	if (request.signal?.aborted === true) throw new CordonError('cancelled', 'Cancelled. Nothing was sent.')
	const inventory = await openCopy(services, connection.id)
	const admit = await guarded(services, request, {spec, args, connection, inventory})
	// Asked again under the lock; a change refused here never takes it.
	await admit('prepared')
	const complete = withCode(services.escrow, spec.name, withComment(spec, args, request), request)
	return {spec, args: complete, connection, inventory, admit, secrets: secretArguments(spec, complete)}
}

/** An unknown target is read once; the guard rules are asked at each call. */
async function guarded(
	services: RunnerServices,
	request: CommandRequest,
	{spec, args, connection, inventory}: Pick<Prepared, 'spec' | 'args' | 'connection' | 'inventory'>
): Promise<Admit> {
	const {guards, knownHashes} = services
	const client = () => services.connections.client(connection.id)
	const {signal, job} = request
	// A job looks hashes up when it is planned and again when it is applied.
	const known = job === undefined ? knownHashes : undefined
	const change = {spec, args, connection: connection.id, inventory, client, signal, knownHashes: known}
	const target = await guardTargetOf(guards, change)
	const action = subjectOf(spec, args)?.action
	if (target === undefined || action === undefined) {
		if (request.propose === 'always' && spec.risk !== 'read') throw new CordonError('approval_needed')
		return async () => ({})
	}
	const {confirmedAt, ahead} = request
	const judged = {connection: connection.id, action, targets: [target], confirmedAt, ahead}
	if (request.job !== undefined) {
		return async () => {
			guards.admitPart(judged)
			return {}
		}
	}
	const agreement = agreementOf(spec, args, request.agreement)
	return async moment => {
		const {approvals} = services
		const known = request.approval === undefined ? undefined : approvals?.find(request.approval)
		const given = known === undefined ? agreement : 'approved'
		if (moment === 'stored') {
			// Its own intent counts by now.
			if (action === 'isolate') await guards.admit({...judged, ahead: -1}, given, request.surface)
			return {}
		}
		const {tier, confirmation, approval: demand} = await admitFor(guards, judged, given, request)
		needApproval(approvals, {spec, args, connection}, request, {demand, known, label: target.label, final: moment === 'final'})
		return {
			...(tier === 3 && {tier, confirmed: confirmation.kind}),
			...(request.agreement?.reason !== undefined && {reason: request.agreement.reason}),
			...(agreement.ticket !== undefined && {ticket: agreement.ticket})
		}
	}
}

/** A reason outside the arguments becomes the comment, where the command takes one. */
function withComment(spec: Spec, args: Args, {agreement}: CommandRequest) {
	if (agreement?.reason === undefined || commentOf(spec, args) !== undefined || !('comment' in spec.args)) return args
	const ticket = agreement.ticket === undefined ? '' : ` [${agreement.ticket}]`
	return {...args, comment: `${agreement.reason}${ticket}`}
}

/** The service's own record refers to our log. A job puts its own id there. */
function withLogId(spec: Spec, args: Args, intent: string, {job}: CommandRequest) {
	if (job !== undefined || spec.risk === 'read') return args
	const field = 'comment' in args ? 'comment' : spec.risk === 'release' ? 'unlock_code' : undefined
	const comment = field === undefined ? undefined : args[field]
	if (field === undefined || typeof comment !== 'string' || comment === '') return args
	return {...args, [field]: `${comment} ${logMark(intent)}`}
}

/** Local data only supplies names: failing to open it stops no command. */
async function openCopy(services: RunnerServices, connection: string) {
	try {
		return await services.inventory?.(connection)
	} catch (error) {
		services.onTrouble?.('Local data cannot be opened.', error)
		return undefined
	}
}

async function locked(services: RunnerServices, turn: Turn, request: CommandRequest, prepared: Prepared) {
	const {spec, args, connection} = prepared
	const target = spec.risk === 'read' ? null : lockOf(args)
	if (target === null) return await logged(services, turn, request, prepared)
	const release = services.locks.acquire({connection: connection.id, target, command: spec.name, intent: spec.name})
	try {
		return await logged(services, turn, request, prepared)
	} finally {
		released(services, release)
	}
}

/** The outcome is already logged; trouble with the lock must not replace it. */
function released({onTrouble}: RunnerServices, release: () => void) {
	try {
		release()
	} catch (error) {
		onTrouble?.('A lock could not be released.', error)
	}
}

/**
 * No other change gets between the last guard check and the stored intent, so each admitted change counts for the next.
 * Targets of a job were admitted together, and their intents may be stored together.
 */
async function admitted(
	turn: Turn,
	{job}: CommandRequest,
	{spec, admit}: Prepared,
	commit: (agreed: Readonly<Record<string, unknown>>) => Promise<Journal>
) {
	const work = async () => commit(await admit('final'))
	if (job !== undefined || spec.risk === 'read') return await work()
	return await turn(async () => {
		const journal = await work()
		// Another process may have stored one at the same time.
		await admit('stored').catch(async error => Promise.reject(await journal.failed(error)))
		return journal
	})
}

async function logged(services: RunnerServices, turn: Turn, request: CommandRequest, prepared: Prepared): Promise<CommandResult> {
	const {spec, connection, secrets} = prepared
	const shown = shownArguments(spec, prepared.args)
	const label = labelFrom(prepared.inventory, services.directory?.(connection.id))
	const started = services.clock.monotonic()
	const before = spec.risk === 'read' ? {} : await notedBefore(services, request, prepared)
	const journal = await admitted(turn, request, prepared, agreed =>
		journalOf(services.log, {
			spec,
			connection,
			args: shown,
			target: targetOf(prepared.args, label),
			surface: request.surface,
			incident: request.incident ?? null,
			facts: {...agreed, ...before, ...request.facts, ...(request.job !== undefined && {job: request.job})},
			elapsed: () => Math.round(services.clock.monotonic() - started),
			masked: text => redact(text, secrets)
		})
	)
	const outcome = await executed(services, request, prepared, journal, label)
	// The operator may have typed the code into the comment, too.
	const masked = redact(outcome, [...secrets, ...codesIn(outcome.data)])
	const {message, durationMs} = await journal.succeeded(masked)
	return {...masked, command: spec.name, args: shown, message, entry: journal.intent, durationMs}
}

async function executed(
	services: RunnerServices,
	request: CommandRequest,
	prepared: Prepared,
	journal: Journal,
	label: (guid: string) => string
) {
	const {spec, connection} = prepared
	const args = withLogId(spec, prepared.args, journal.intent, request)
	const token = spec.risk === 'read' ? undefined : issueWriteToken(journal.intent, connection.id)
	const computer = computerOf(args)
	const now = services.clock.now()
	const subject = {name: spec.name, args, computer, connection, intent: journal.intent, label, now}
	let kept: Kept | undefined
	try {
		kept = await takeIntoEscrow(services.escrow, request, subject)
		// The arguments were checked against the declaration from which the handler's type is made.
		const handler = await handlerOf(spec.name)
		const outcome = await handler(args as never, contextOf(services, request, prepared, token, label))
		await undisturbed(services, kept.succeeded(outcome))
		return outcome
	} catch (error) {
		if (kept !== undefined) await undisturbed(services, kept.failed(error))
		throw await journal.failed(error)
	} finally {
		if (token !== undefined) revokeWriteToken(token)
	}
}

/** The outcome of the change stays; trouble with the code or the lease is reported beside it. */
async function undisturbed({onTrouble}: RunnerServices, work: Promise<void>) {
	try {
		await work
	} catch (error) {
		onTrouble?.('The code or the lease of an isolation could not be noted.', error)
	}
}

function contextOf(
	services: RunnerServices,
	request: CommandRequest,
	prepared: Prepared,
	token: WriteToken | undefined,
	label: (guid: string) => string
): HandlerContext {
	const onProgress = request.onProgress ?? ignore
	const signal = request.signal ?? new AbortController().signal
	return {
		client: paced(services.connections.client(prepared.connection.id), request),
		clock: services.clock,
		options: request.options ?? {},
		surface: request.surface,
		call: {signal, token, onProgress, ...quotaManners(request, prepared)},
		onProgress,
		onRecords: records => request.onRecords?.(redact(records, prepared.secrets)),
		learn: learnInto(prepared.inventory, directoryOf(services, prepared.connection.id), services.onTrouble ?? ignore),
		label,
		stateSince: guid => stateSince(prepared.inventory, guid),
		isolatedHere: async (guid, mark) => {
			const isolations = {connection: prepared.connection.id, target: guid, command: isolateCommand}
			return (await allEntries(services.log, {...isolations, kinds: ['command.requested']})).some(entry => markOf(entry) === mark)
		},
		releasedHere: async guid =>
			recentRelease(await services.log.about(prepared.connection.id, guid, entriesAbout), new Date(services.clock.now()).toISOString())
	}
}

/** A listing loads no faster than its reader takes records, so they do not pile up here; a change waits for its turn. */
function paced(client: ApiClient, {room, turn}: CommandRequest): ApiClient {
	if (room === undefined && turn === undefined) return client
	return {
		...client,
		call: async (request, options) => {
			if (turn !== undefined && options?.token !== undefined) return await turn(() => client.call(request, options))
			if (request.method === 'GET') await room?.()
			return await client.call(request, options)
		}
	}
}

/** A job waits for the quota itself, visibly. It never spends the reserve, not even for releases. */
function quotaManners(
	{job, maxQuotaWaitMs, surface, approval, propose}: CommandRequest,
	{spec}: Prepared
): Pick<CallOptions, 'purpose' | 'maxQuotaWaitMs'> {
	if (job !== undefined) return {purpose: 'job', maxQuotaWaitMs: jobQuotaWaitMs}
	// A change that a person approved belongs to that person.
	const isProgram = (surface === 'api' || surface === 'assistant') && (approval === undefined || propose !== undefined)
	const purpose = isProgram ? 'program' : spec.risk === 'release' ? 'release' : 'interactive'
	return {purpose, ...(maxQuotaWaitMs !== undefined && {maxQuotaWaitMs})}
}

function directoryOf({directory}: RunnerServices, connection: string) {
	return directory === undefined ? undefined : () => directory(connection)
}

function ignore() {
	// Nobody listens.
}

/** Checks before a command is logged and sent. They throw, and never call the service. */
function checkOptions(spec: CommandSpec, args: Args, options: CommandOptions) {
	if (options.all === true && !spec.options.includes('all')) throw usageError(`${spec.name} has no option all.`, 'all')
	if (options.all === true && args['limit'] !== undefined) {
		throw usageError('Give limit or all, not both.', 'all')
	}
	if (options.wait === undefined) return
	if (!spec.options.includes('wait')) throw usageError(`${spec.name} has no option wait.`, 'wait')
	if (args['status'] === undefined) {
		throw usageError('wait needs status: the state to wait for.', 'status')
	}
}

/** Reading is always allowed; a change only on a read-write connection. */
function checkMode(spec: CommandSpec, connection: Connection, mode: WriteMode) {
	const refused = spec.risk === 'read' ? null : refusedWriting(mode, connection.name)
	if (refused !== null) throw new CordonError('read_only', refused)
}

type OnTrouble = (message: string, error: unknown) => void

/** Stores what an answer taught; trouble with local data never fails the command. */
function learnInto(inventory: Inventory | undefined, directory: (() => DirectoryLearn) | undefined, onTrouble: OnTrouble): Learn {
	const guarded = (write: () => void) => {
		try {
			write()
		} catch (error) {
			onTrouble('Local data could not store an answer.', error)
		}
	}
	const tell = (write: (copy: Inventory) => void) =>
		guarded(() => {
			if (inventory !== undefined) write(inventory)
		})
	// Opened only when an answer has something to store.
	const teach = (write: (copy: DirectoryLearn) => void) =>
		guarded(() => {
			if (directory !== undefined) write(directory())
		})
	return {
		observe: (records, at) => tell(copy => copy.observe(records, at)),
		observeIsolation: (guid, isolation, at) => tell(copy => copy.observeIsolation(guid, isolation, at)),
		vanished: (guid, at) => tell(copy => copy.vanished(guid, at)),
		observeGroups: (groups, at) => {
			tell(copy => copy.observeGroups(groups, at))
			teach(copy => copy.observeGroups(groups, at))
		},
		observePolicies: (policies, at) => teach(copy => copy.observePolicies(policies, at)),
		observeFileLists: (lists, at) => teach(copy => copy.observeFileLists(lists, at)),
		observeFileListItem: (list, sha256, item, how) => teach(copy => copy.observeFileListItem(list, sha256, item, how))
	}
}
