/** One catalogue command, by the common runner. */
import {createRunner} from '#core/actions/commands/runner.ts'
import type {CommandRequest, IsolationWish, LookBefore, Runner, RunnerServices} from '#core/actions/commands/types.ts'
import type {Guards} from '#core/actions/guards/guards.ts'
import type {Inventory} from '#core/replicas/computers/inventory.ts'
import {computerOf} from '#shared/commands/arguments.ts'
import type {CommandSpec} from '#shared/commands/define.ts'
import type {RunOptions} from '#shared/commands/options.ts'
import type {KnownCommand} from '#shared/commands/parse.ts'
import type {CommandOptions, CommandResult} from '#shared/commands/result.ts'
import {CordonError} from '#contract/errors.ts'
import type {RunProgress} from '#contract/live.ts'
import type {Connection} from '#model/connection.ts'
import type {Agreement} from '#model/guard.ts'
import type {LeaseTerm} from '#model/job.ts'
import {leaseEnd, termWords} from '#text/isolation.ts'
import type {Invocation} from './argv.ts'
import {chooseConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import {incidentIn, type Globals} from './globals.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printResult} from './result.ts'
import {type Session, withSession} from './session.ts'

type CommandInvocation = Invocation & {kind: 'command'}

/** Everything a run needs once the profile is open. */
interface Run {
	invocation: CommandInvocation
	session: Session
	host: CliHost
	connection: Connection
	output: Output
	signal: AbortSignal
}

export async function runCommand(invocation: CommandInvocation, host: CliHost, output: Output) {
	const signal = AbortSignal.any([host.signal, output.gone])
	return await withSession(invocation.globals, host, 'service', async session => {
		const connection = await chooseConnection(session.profile.connections, invocation.globals, host)
		return await runOn({invocation, session, host, connection, output, signal})
	})
}

async function runOn(run: Run) {
	const {invocation, session, output} = run
	let streamed = 0
	const onRecords = (records: readonly unknown[]) => {
		streamed += records.length
		for (const record of records) output.json(record)
	}
	const isolation = wishOf(invocation, run.connection, session.profile.guards)
	const request: CommandRequest = {
		name: invocation.spec.name,
		args: invocation.args,
		options: commandOptions(invocation),
		connection: run.connection.id,
		agreement: agreementOf(invocation),
		isolation,
		incident: await incidentIn(invocation.globals, session.profile),
		surface: 'cli',
		signal: run.signal,
		onProgress: createProgress(output, () => session.ports.clock.monotonic()),
		onNotice: output.say,
		...(output.mode === 'jsonl' && {onRecords, room: output.room})
	}
	const forget = sayThatItIsAwaited(run)
	const result = await withRunner({...run, ...run.invocation}, async runner =>
		runner.run(invocation.takesNames ? {...request, args: await withGuids(runner, request)} : request)
	).finally(forget)
	const code = invocation.options.reveal === true ? await reveal(run, result) : undefined
	const printed = printResult(invocation.spec, result, output, {streamed, code})
	if (isolation !== undefined) output.say(keptWords(isolation))
	return printed
}

/** Throws `not_found`, or `conflict` with all GUIDs where several bear the name: then nothing is sent. */
async function withGuids(runner: Runner, {args, connection, incident, surface, signal}: CommandRequest) {
	const {resolved} = await import('#core/playbooks/names.ts')
	const where = {connection, incident, surface, signal}
	return await resolved(({name, args, all = false}) => runner.run({...where, name, args, options: {all}}), args)
}

/** Ctrl-C does not undo a sent change: prints that, and how to leave anyway. */
function sayThatItIsAwaited({invocation, signal, output}: Run) {
	if (invocation.spec.risk === 'read') return () => {}
	const say = () => output.say('If the change was sent already, its answer is awaited. Ctrl-C again cuts it off.')
	signal.addEventListener('abort', say, {once: true})
	return () => signal.removeEventListener('abort', say)
}

async function reveal(run: Run, result: CommandResult) {
	const {invocation, session, connection, signal} = run
	const {revealUnlockCode} = await import('#core/actions/isolation/reveal.ts')
	const guid = computerOf(result.args)
	if (guid === undefined) throw new CordonError('internal')
	const {code} = await revealUnlockCode(
		{
			client: () => session.profile.connections.client(connection.id),
			log: session.profile.log,
			codes: session.profile.escrow.codes,
			clock: session.ports.clock,
			// A window that requires presence requires it from a command line too.
			presence: session.console?.presence
		},
		{
			connection,
			guid,
			label: guid,
			reason: invocation.options.reason ?? '',
			passphrase: await passphraseFor(run),
			surface: 'cli',
			incident: await incidentIn(invocation.globals, session.profile),
			signal
		}
	)
	return code
}

/** A console started with a passphrase asks for it; a profile opened here was opened with it. */
async function passphraseFor({invocation, session, host}: Run) {
	const {passphraseFile} = invocation.globals
	if (session.console === undefined || passphraseFile === undefined) return undefined
	const {readSecretLine} = await import('./key.ts')
	return await readSecretLine(host, passphraseFile, 'passphrase-file')
}

function commandOptions({options}: CommandInvocation): CommandOptions {
	const {all, wait} = options
	return {...(all !== undefined && {all}), ...(wait !== undefined && {wait})}
}

function agreementOf({options, spec}: CommandInvocation): Agreement {
	const {reason, ticket, confirm} = options
	return {
		...(reason !== undefined && spec.risk !== 'read' && {reason}),
		...(ticket !== undefined && {ticket}),
		...(confirm !== undefined && {confirm})
	}
}

/* Progress on stderr: one overwritten line on a terminal, a few lines elsewhere. */

/** Without a terminal, minimum time between messages about pages and polls. */
const quietMs = 15_000

/** `now` is monotonic, in milliseconds. */
function createProgress(output: Output, now: () => number): (progress: RunProgress) => void {
	const started = now()
	let told = started
	let lastText = ''
	return progress => {
		const text = progressText(progress)
		if (output.talksToTerminal) return output.status(text)
		if (output.mode !== 'text' && progress.kind === 'pages') return
		const urgent = progress.kind === 'waiting_for_quota' || progress.kind === 'retrying'
		if (text === lastText || (!urgent && now() - told < quietMs)) return
		told = now()
		lastText = text
		output.say(text)
	}
}

export function progressText(progress: RunProgress) {
	switch (progress.kind) {
		case 'pages':
			return `${progress.records} records read, ${progress.read}${progress.total === null ? '' : ` of ${progress.total}`} pages`
		case 'waiting_for_quota':
			return `Waiting for the API limit until ${timeText(progress.until)}. Ctrl-C stops.`
		case 'retrying':
			return `${progress.because} Trying again in ${Math.ceil(progress.inMs / 1000)} s (${progress.attempt} of ${progress.of}).`
		case 'polling':
			return `State: ${progress.state}. Waiting until ${timeText(progress.until)}. Ctrl-C stops.`
	}
}

function timeText(iso: string) {
	const date = new Date(iso)
	return Number.isNaN(date.getTime()) ? iso : date.toLocaleTimeString('en-GB', {hour12: false})
}

/** Options of an isolation: its unlock code and lease. */
interface Line {
	spec: Pick<KnownCommand, 'risk'>
	options: RunOptions
	globals: Pick<Globals, 'server'>
}

/** `undefined` for every other command. Throws `usage` with the option at fault. */
function wishOf(line: Line, {id}: Connection, guards: Pick<Guards, 'rules'>): IsolationWish | undefined {
	if (line.spec.risk !== 'isolate') return undefined
	const {code = 'service'} = line.options
	return {code, lease: line.globals.server === undefined ? leaseOf(line.options, guards.rules(id).leaseHours) : none(line)}
}

function leaseOf({lease, autoRelease = false}: RunOptions, usualHours: number | null): LeaseTerm {
	const hours = lease === undefined ? usualHours : lease
	if (autoRelease && hours === null) throw usage('--auto-release needs a lease that ends', 'give --lease 24h', 'auto-release')
	return {hours, auto: autoRelease}
}

/** No lease: the next process does not know the connection, so nobody would be reminded. */
function none({options: {lease, autoRelease}}: Line) {
	if (typeof lease === 'number' || autoRelease === true)
		throw usage(
			'A lease is kept for stored connections, and --server names none',
			'add the service with "cordon connections add", or leave the lease out',
			typeof lease === 'number' ? 'lease' : 'auto-release'
		)
	return null
}

/** What Cordon stores of an isolation, in a sentence or two. */
function keptWords({code, lease}: IsolationWish) {
	const sealed = code === 'generated' ? ' The unlock code is stored encrypted on this computer; show it with --reveal --reason.' : ''
	if (lease === null) return `No lease is kept. Release the computer manually.${sealed}`
	const term = lease.hours === null ? '' : `${termWords(lease.hours)}; `
	return `Lease: ${term}${leaseEnd(lease.hours !== null, lease.auto)}.${sealed}`
}

/** The runner of one command, with the profile's data about its target. A read needs none of it and starts faster. */
interface RunnerNeeds {
	spec: CommandSpec
	globals: Globals
	session: Session
	connection: Connection
}

/** What a change needs besides the service; its creator stops it. */
interface Knowledge extends Pick<RunnerServices, 'knownHashes' | 'lookBefore'> {
	inventory: Inventory | undefined
	stop(): Promise<void>
}

async function withRunner<T>(needs: RunnerNeeds, work: (runner: Runner) => Promise<T>) {
	const {profile, ports, console} = needs.session
	if (console !== undefined) return await work(console.runner)
	const {connections, log, locks, guards, escrow, approvals} = profile
	const {inventory, knownHashes, lookBefore, stop} = await knowledgeFor(needs)
	try {
		return await work(
			createRunner({
				...{clock: ports.clock, connections, log, locks, guards, escrow, approvals, knownHashes, lookBefore},
				inventory: () => inventory
			})
		)
	} finally {
		await stop()
	}
}

async function knowledgeFor(needs: RunnerNeeds): Promise<Knowledge> {
	const {spec, globals, session} = needs
	const isStored = globals.server === undefined
	const names = ['connector_guid', 'group_guid'].some(name => name in spec.args)
	const changes = spec.risk !== 'read'
	const inventory = changes && isStored && names ? await openCopy(needs) : undefined
	const here = changes && isStored && 'sha256' in spec.args ? await openKnown(session) : undefined
	return {
		inventory,
		knownHashes: here?.known,
		// Isolations and releases are not in the undo history: nothing is loaded for them.
		lookBefore: spec.risk !== 'change' ? undefined : isStored ? await lookFor(needs, inventory) : notStored,
		stop: async () => {
			await here?.stop()
			await inventory?.stop()
		}
	}
}

async function openKnown(session: Session) {
	const {knownHere} = await import('./known-hashes.ts')
	return knownHere(session)
}

async function lookFor(needs: RunnerNeeds, inventory: Inventory | undefined) {
	const {lookBefore} = await import('#core/work/undo/before.ts')
	return lookBefore({
		clock: needs.session.ports.clock,
		client: needs.session.profile.connections.client,
		inventory: () => inventory,
		directory: () => {}
	})
}

const notStored: LookBefore = () => Promise.resolve({observed: null, impossible: 'Undo works for stored connections only.'})

/** A local copy that cannot be opened does not block a command: the GUID then names the target. */
async function openCopy({session: {ports, profile}, connection}: RunnerNeeds) {
	try {
		const {openConnectionInventory} = await import('#core/replicas/computers/replica.ts')
		return openConnectionInventory({
			profile: ports.profile,
			clock: ports.clock,
			connection: connection.id,
			client: profile.connections.client(connection.id)
		})
	} catch {
		return undefined
	}
}
