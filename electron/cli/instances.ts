import {cellText, type ResultTable} from '#shared/commands/table.ts'
import {CordonError} from '#contract/errors.ts'
import type {InstanceDetail, InstanceRow, ProbeResult, RequestEntry} from '#contract/instances.ts'
import {counted} from '#text/numbers.ts'
import {probeTitles} from '#text/states.ts'
import {nouns} from '#text/terms.ts'
import {numberOption} from './argv.ts'
import {withAdvice} from './faults.ts'
import {addInstance, changeInstance, type Run} from './instances-edit.ts'
import {printObject, printStages, printTable, verdictWords} from './result.ts'
import {inSession, withInstances, type SubCall} from './session.ts'
import {recordText, tableText} from './terminal-table.ts'

function listText(rows: readonly InstanceRow[]): ResultTable {
	return {
		columns: ['Name', 'State', 'Port', 'Exposed', 'Access', 'Requests/s', 'Failures', 'Last request', 'Why'],
		rows: rows.map(({instance, health, exposure, traffic}) =>
			[
				instance.name,
				health.state,
				instance.listenPort,
				exposure.exposed ? 'yes' : 'no',
				instance.access.kind,
				traffic.requestsPerSecond,
				traffic.failures,
				traffic.lastRequest,
				health.reason
			].map(cellText)
		)
	}
}

export function instanceText({row, history, recipes, list}: InstanceDetail, width: number | null) {
	const fields = [...fieldsOf(row), ...listFields(list)]
	const record = recordText({columns: fields.map(([title]) => title), rows: [fields.map(([, value]) => cellText(value))]}, width)
	const warnings = row.warnings.map(warning => `Note: ${warning}`)
	const ready = recipes.map(({title, text, note}) => `${title}${note === null ? '' : ` (${note})`}\n${indented(text)}`)
	const changes =
		history.length === 0
			? []
			: [tableText({columns: ['Since', 'State', 'Why'], rows: history.map(({at, state, reason}) => [at, state, cellText(reason)])}, width)]
	return [record, ...(warnings.length === 0 ? [] : [warnings.join('\n')]), ...ready, ...changes].join('\n\n')
}

function fieldsOf({instance, health, exposure, route, direct}: InstanceRow): readonly (readonly [string, unknown])[] {
	const {secrets, program, timeouts, limits} = instance
	return [
		['Name', instance.name],
		['State', health.reason === null ? health.state : `${health.state}: ${health.reason}`],
		['Listens at', `${instance.host}:${instance.listenPort}`],
		['Program', program.kind === 'managed' ? program.command.join(' ') : program.kind],
		['Route', route],
		['Exposed', `${exposure.exposed ? 'yes' : 'no'} (${exposure.key ?? 'no key is set'})`],
		['Direct', direct ?? 'this computer only'],
		['Access', accessText(instance.access.kind, secrets)],
		['Allowed', instance.allow.length === 0 ? 'every address' : instance.allow],
		['Methods', instance.methods ?? 'all'],
		['First byte within', timeouts.firstByteS === 0 ? 'no limit' : `${timeouts.firstByteS} s`],
		['At once', limits.concurrency === 0 ? 'no limit' : limits.concurrency],
		['Older names', instance.aliases]
	]
}

function listFields(list: InstanceDetail['list']): readonly (readonly [string, unknown])[] {
	if (list === null) return []
	const {entries, dropped, builtAt, problem, heldBack} = list
	const held = heldBack === null ? [] : [['Held back', `${counted(heldBack.entries, nouns.value)}, since ${heldBack.at}`] as const]
	return [
		['List', builtAt === null ? 'none yet' : `${counted(entries, nouns.value)} of ${builtAt}, ${dropped} dropped`],
		...(problem === null ? [] : [['Problem', problem] as const]),
		...held
	]
}

function accessText(kind: string, {users, tokens, signingKey}: InstanceRow['instance']['secrets']) {
	if (kind === 'basic') return `basic: ${users.join(', ')}`
	if (kind === 'bearer') return `bearer: ${counted(tokens, ['token', 'tokens'])}`
	return kind === 'hmac' ? `hmac${signingKey ? '' : ', without a key'}` : kind
}

function indented(text: string) {
	return text
		.split('\n')
		.map(line => `  ${line}`)
		.join('\n')
}

export function requestsText(entries: readonly RequestEntry[]): ResultTable {
	return {
		columns: ['Time', 'Instance', 'Status', 'Method', 'Path', 'Client', 'Sent', 'First byte ms', 'Ended by', 'Reason'],
		rows: entries.map(entry =>
			[
				entry.at,
				entry.instance,
				entry.status,
				entry.method,
				entry.path,
				entry.client,
				entry.sent,
				entry.phases.firstByte === null ? null : Math.round(entry.phases.firstByte * 10) / 10,
				entry.endedBy,
				entry.reason
			].map(cellText)
		)
	}
}

function probeLine({stage, outcome, message, durationMs}: ProbeResult) {
	const took = durationMs === null ? '' : ` (${Math.round(durationMs)} ms)`
	return `${verdictWords[outcome].padEnd(10)} ${probeTitles[stage].padEnd(11)} ${message}${took}`
}

export async function runInstances(call: SubCall) {
	const {spec, words} = call.sub
	return await inSession(call, 'stores', ({session}) =>
		withInstances(session, async opened => {
			const action = actions[spec.name]
			if (action === undefined) throw new CordonError('internal', `Nothing is done for ${spec.name}.`)
			return await withAdvice(async () => action({...opened, ...call, name: words[0] ?? '', confirm: call.option('confirm')}))
		})
	)
}

/** A program chooses its port when it starts. */
const soon = ', as soon as the console has started it again'

const actions: Readonly<Record<string, (run: Run) => Promise<number> | number>> = {
	'instances list': list,
	'instances show': show,
	'instances settings': settings,
	'instances add': async run => told(run, await addInstance(run), 'was added'),
	'instances set': async run => told(run, await changeInstance(run), 'was changed'),
	'instances remove': remove,
	'instances enable': run => told(run, run.store.setEnabled(idOf(run), true).id, 'is switched on'),
	'instances disable': run => told(run, run.store.setEnabled(idOf(run), false).id, 'is switched off'),
	'instances expose': run => told(run, run.store.setExposed(idOf(run), true, run.confirm).id, 'is exposed'),
	'instances hide': run => told(run, run.store.setExposed(idOf(run), false).id, 'is not exposed any more'),
	'instances open-port': run =>
		told(run, run.store.setOpenPort(idOf(run), true, run.confirm).id, `is to be open to the network on its own port${soon}`),
	'instances close-port': run => told(run, run.store.setOpenPort(idOf(run), false).id, `is to listen for this computer alone${soon}`),
	'instances restart': run => told(run, run.store.restart(idOf(run)).id, 'will be started anew by the console'),
	'instances test': test,
	'instances probe': probe,
	'instances requests': requests,
	'instances output': printed,
	'instances publish': publish
}

async function list(run: Run) {
	const {instances, output} = run
	const {server, rows} = await instances.list()
	const message =
		rows.length === 0
			? 'There is no instance. Add one with "cordon instances add NAME --port PORT".'
			: `${counted(rows.length, nouns.instance)}. ${serverSentence(server)}`
	if (output.mode === 'text' && rows.length > 0) {
		output.print(tableText(listText(rows), output.width))
		output.say(`\n${serverSentence(server)}`)
		return 0
	}
	return printObject(run, {}, rows, message, {server})
}

function serverSentence({state, problem, origins}: Awaited<ReturnType<Run['instances']['list']>>['server']) {
	if (state === 'running') return `The forwarding server runs at ${origins[0] ?? 'an unknown address'}.`
	return `The forwarding server does not run${problem === null ? '.' : `: ${problem}`}`
}

async function show(run: Run) {
	const {instances, store, output, name} = run
	const detail = await instances.detail(store.find(name).id)
	if (output.mode === 'text') output.print(instanceText(detail, output.width))
	else printObject(run, {name}, detail, `${detail.row.instance.name} is ${detail.row.health.state}.`)
	return 0
}

async function settings(run: Run) {
	const {settingNames} = await import('#gateway/instances/config-file/assign.ts')
	const all = settingNames()
	const rows = all.map(({name, value}) => [name, value])
	return printTable(run, ['Setting', 'Value'], rows, all, `${all.length} settings.`)
}

async function remove(run: Run) {
	const {store, name} = run
	const instance = store.find(name)
	await store.remove(instance.id)
	return printObject(run, {name}, instance, `${instance.name} was removed.`)
}

/** Asks past the route, from this process: it needs no console. */
async function test(run: Run) {
	const {instances, host, output, name} = run
	const {instance, health} = instances.row(name)
	const {askHealth} = await import('./instances-test.ts')
	const signal = AbortSignal.any([host.signal, output.gone])
	const {healthy, message} = await askHealth(instance, health, signal)
	return printObject(run, {name}, {healthy}, message, {code: Number(!healthy)})
}

async function probe(run: Run) {
	const {instances, host, output, name} = run
	const {instance} = instances.row(name)
	const stages = instances.probe(instance.id, AbortSignal.any([host.signal, output.gone]))
	return await printStages(run, {name}, stages, probeLine, results => {
		const failed = results.find(({outcome}) => outcome === 'failed')
		return {code: Number(failed !== undefined), message: failed?.message ?? `${instance.name} is reached through the route.`}
	})
}

async function requests(run: Run) {
	const {instances, store, sub, name} = run
	const id = name === '' ? undefined : store.find(name).id
	const entries = instances.requests(id, numberOption(sub, 'limit', 1, 1000) ?? 50)
	const {server} = await instances.list()
	const message = entries.length === 0 ? `No requests. ${serverSentence(server)}` : `${entries.length} requests.`
	const {columns, rows} = requestsText(entries)
	return printTable(run, columns, rows, entries, message, name === '' ? {} : {name})
}

/** Prints what the running console recorded; entries of an earlier one are still there. */
async function printed(run: Run) {
	const {instances, output, name} = run
	const {instance} = instances.row(name)
	const {output: lines} = await instances.detail(instance.id)
	const nothing = `Nothing that ${instance.name} printed was written down.`
	if (output.mode === 'text' && lines.length > 0) output.print(lines.map(({at, stream, text}) => `${at} ${stream} ${cellText(text)}`).join('\n'))
	else printObject(run, {name}, lines, lines.length === 0 ? nothing : `${lines.length} lines.`)
	return 0
}

async function publish(run: Run) {
	const {instances, name} = run
	const {instance} = instances.row(name)
	const list = await instances.publish(instance.id)
	const what = `The list of ${instance.name} that was held back is published by the console now`
	return printObject(run, {name}, list, `${what}: ${list.heldBack?.entries ?? 0} values.`)
}

function idOf({store, name}: Run) {
	return store.find(name).id
}

/** Says what was done, then what needs attention now. */
function told(run: Run, id: string, what: string) {
	const {instances, sub, name} = run
	const row = instances.row(id)
	const leads = ['instances add', 'instances set', 'instances expose'].includes(sub.spec.name) && row.exposure.exposed
	const address = leads ? ` Its route is ${row.route}.` : ''
	const warnings = row.warnings.map(warning => `\nNote: ${warning}`).join('')
	return printObject(run, {name}, row, `${row.instance.name} ${what}.${address}${warnings}`)
}
