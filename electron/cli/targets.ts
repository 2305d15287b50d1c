/** `cordon targets …`: forwarding of events and incident log entries. */
import {openTargets, type Targets} from '#core/targets/targets.ts'
import type {TargetDefinition, TargetInput, TargetRow} from '#model/target.ts'
import {acceptedTestText} from '#text/changes.ts'
import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {readLimit} from './argv.ts'
import {storedConnection} from './choose-connection.ts'
import {withEvents} from './event-stores.ts'
import {shown, usage} from './faults.ts'
import {unreadable} from './files.ts'
import {readSecretFile} from './key.ts'
import {printObject, printTable} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'

interface Run extends SubRun {
	targets: Targets
	name: string
}

export async function runTargets(call: SubCall) {
	const {spec, words} = call.sub
	return await inSession(call, 'service', run =>
		withEvents(
			run,
			run.session.console?.targets,
			parts => openTargets({...parts, tell: (_title, body) => call.output.say(body)}),
			targets => actions[spec.name]?.({...run, targets, name: words[0] ?? ''}) ?? 0
		)
	)
}

const actions: Readonly<Record<string, (run: Run) => Promise<number>>> = {
	'targets list': list,
	'targets add': add,
	'targets set': change,
	'targets enable': run => setEnabled(run, true),
	'targets disable': run => setEnabled(run, false),
	'targets remove': remove,
	'targets test': test,
	'targets refused': refused,
	'targets run': runAll
}

async function list(run: Run) {
	const rows = await run.targets.list()
	const columns = ['Name', 'Target', 'State', 'Backlog', 'Sent', 'Refused', 'Problem']
	return printTable(run, columns, rows.map(cells), rows, 'No targets. Add one with "cordon targets add".')
}

function cells({definition: {name, to}, state, backlog}: TargetRow) {
	const {phase, sent, refused: bad, problem} = state
	return [name, placeOf(to), phase, String(backlog), String(sent), String(bad), problem ?? '']
}

function placeOf(to: TargetDefinition['to']) {
	if (to.kind === 'file') return to.path
	return to.kind === 'webhook' ? to.url : `syslog ${to.host}:${to.port}`
}

async function add(run: Run) {
	const to = await toOf(run, undefined)
	if (to === undefined) throw usage('A target needs a place', 'give --file, --syslog or --webhook', 'file')
	return await save(run, {name: run.name, to, ...sources(run, {events: null, log: null})})
}

async function change(run: Run) {
	const found = run.targets.find(run.name)
	const to = (await toOf(run, found.definition.to)) ?? found.definition.to
	return await save(run, {...found.definition, to, ...sources(run, found.definition)}, found.id)
}

async function save(run: Run, definition: TargetInput, id?: string) {
	const {host, sub, targets, name, option} = run
	const idle = {file: ['ca-file', 'private', 'secret-file'], syslog: ['secret-file'], webhook: []}[definition.to.kind]
	const useless = idle.find(one => sub.options.has(one))
	if (useless !== undefined) throw usage(`A ${definition.to.kind} target has no --${useless}`, 'leave it out', useless)
	const file = option('secret-file')
	const given = file === undefined ? {} : {secret: await readSecretFile(host, file, 'secret-file')}
	const fromBeginning = sub.options.has('from-beginning')
	const {target, secret} = await targets.save({...(id !== undefined && {id}), definition, fromBeginning, ...given})
	const shownOnce = secret === null ? '' : ` Its signing secret, shown this once: ${secret}`
	const message = `${id === undefined ? 'Added' : 'Changed'} the target ${name}.${shownOnce}`
	return printObject(run, {name}, {...target, ...(secret !== null && {secret})}, message)
}

/** `undefined` without destination options. */
async function toOf(run: Run, before: TargetDefinition['to'] | undefined): Promise<TargetInput['to'] | undefined> {
	const [path, syslog, url, caFile] = ['file', 'syslog', 'webhook', 'ca-file'].map(run.option)
	if ([path, syslog, url].filter(one => one !== undefined).length > 1)
		throw usage('A target has one place', 'give one of --file, --syslog and --webhook', 'file')
	if (path !== undefined) return {kind: 'file', path}
	const trust = {
		...(caFile !== undefined && {ca: await run.host.files.read(caFile).catch(unreadable(caFile, 'ca-file'))}),
		...(run.sub.options.has('private') && {private: true})
	}
	if (url !== undefined) return {kind: 'webhook', url, ...trust}
	if (syslog !== undefined) return {kind: 'syslog', ...hostOf(syslog), ...trust}
	return before === undefined || before.kind === 'file' ? undefined : {...before, ...trust}
}

function hostOf(typed: string) {
	const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(typed) ?? []
	const host = bracketed ?? plain
	if (host === undefined) throw usage(`${shown(typed)} is not a receiver`, 'write HOST or HOST:PORT', 'syslog')
	return {host, ...(port !== undefined && {port: Number(port)})}
}

type Sources = Pick<TargetDefinition, 'events' | 'log'> & {format?: TargetDefinition['format']}

function sources({sub, session, option}: Run, before: Sources): Pick<TargetInput, 'events' | 'log' | 'format'> {
	const [filter, words, format = before.format] = ['filter', 'text', 'format'].map(option)
	const wantsEvents = sub.options.has('events') || filter !== undefined
	const [whole, onlyChanges] = [sub.options.has('log'), sub.options.has('changes-only')]
	const changesOnly = onlyChanges || (!whole && before.log?.changesOnly === true)
	const connection = wantsEvents ? storedConnection(session.profile.connections, sub.globals.connection).id : ''
	return {
		events: wantsEvents ? {connection, filter: filter ?? before.events?.filter ?? ''} : before.events,
		log: whole || onlyChanges || words !== undefined ? {text: words ?? before.log?.text ?? '', changesOnly} : before.log,
		...(format !== undefined && {format: format === 'as_is' ? 'as_is' : 'ocsf'})
	}
}

async function setEnabled(run: Run, enabled: boolean) {
	const {targets, name} = run
	const row = await targets.setEnabled(name, enabled)
	return printObject(run, {name}, row, `${name} is ${enabled ? 'enabled' : 'disabled'}.`)
}

async function remove(run: Run) {
	const {targets, name} = run
	await targets.remove(name)
	return printObject(run, {name}, {}, `Removed the target ${name}.`)
}

async function test(run: Run) {
	const {host, targets, name} = run
	const {ms} = await targets.test(name, host.signal)
	return printObject(run, {name}, {ms}, acceptedTestText(name, ms))
}

async function refused(run: Run) {
	const {sub, targets, name} = run
	const found = targets.refused(name, readLimit(sub))
	const rows = found.map(({at, source, id, reason}) => [at, source, id, reason])
	return printTable(run, ['At', 'Source', 'ID', 'Why'], rows, found, `${name} refused nothing.`, {name})
}

/** Stopping is a success. */
async function runAll({host, output, session, targets}: Run) {
	const signal = AbortSignal.any([host.signal, output.gone])
	let told: string | undefined
	while (!signal.aborted) {
		if (session.console === undefined) await targets.sendAll()
		const rows = await targets.list()
		const line = rows
			.map(({definition, state, backlog}) => `${definition.name} ${state.phase}, ${counted(backlog, nouns.entry)} to go`)
			.join('; ')
		if (line !== told && output.mode === 'text') output.print(line === '' ? 'No targets.' : line)
		else if (line !== told) for (const row of rows) output.json(row)
		told = line
		await session.ports.clock.sleep(1000, signal).catch(() => {})
	}
	return 0
}
