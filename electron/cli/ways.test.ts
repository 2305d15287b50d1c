/**
 * Each command by window, command line, API, typed client and MCP: the same answer, and the same entry except for the surface.
 */
import {createRouterClient} from '@orpc/server'

import {onlineComputer} from '#sandbox/testing/running.ts'
import {catalogue} from '#shared/commands/catalogue.ts'
import {operations} from '#core/doors/operations.ts'
import {overHttp, textOf, type Client} from '#core/doors/testing/assistant.ts'
import {parseExact, stringifyExact} from '#model/exact-json.ts'

import {createClient} from '../../client/index.js'
import {startConsoleBench, type ConsoleBench} from './testing/console.ts'

type Args = Readonly<Record<string, string>>
type Way = (name: string, args: Args) => Promise<unknown>

const reason = 'Beaconing'
const hash = 'ab'.repeat(32)

let bench: ConsoleBench
let connection = ''
let address = ''
let token = ''
let assistant: Client

beforeAll(async () => {
	bench = await startConsoleBench({computers: 80, seed: 'ways'})
	const {doors} = bench.app.deps
	connection = bench.app.connections.find('lab').id
	address = (await doors.set({on: true, port: 0}, 'cli')).address ?? ''
	const wanted = {scope: 'change' as const, connections: [connection]}
	;({token} = doors.tokens.create({...wanted, name: 'ways'}, 'cli'))
	assistant = await overHttp(address, doors.tokens.create({...wanted, name: 'assistant', kind: 'assistant'}, 'cli').token)
})

afterAll(async () => {
	await assistant.close()
	await bench.stop()
})

const isRead = (name: string) => catalogue.find(one => one.name === name)?.risk === 'read'

const ways: Readonly<Record<string, Way>> = {
	screen: async (name, args) => {
		const lease = {hours: bench.app.deps.profile.guards.rules(connection).leaseHours, auto: false}
		return await createRouterClient(bench.app.router).commands.run({
			...{connection, name, args: {...args}, surface: 'screen', run: 'r1'},
			...(!isRead(name) && {agreement: {reason}}),
			...(name === 'svc_put_computers_isolation' && {isolation: {code: 'service', lease}})
		})
	},
	cli: async (name, args) => {
		const words = Object.entries(args).flatMap(([key, value]) => [`--${key}`, value])
		const why = isRead(name) ? [] : ['--reason', reason]
		const {out} = await bench.cordon(['--connection', 'lab', name, ...words, ...why, '--json'])
		return parseExact(out)
	},
	api: async (name, args) => {
		const operation = operations.find(({id}) => id === name)
		const path = (operation?.path ?? '').replaceAll(/\{(\w+)\}/g, (_all, key: string) => args[key] ?? '')
		const rest = Object.entries(args).filter(([key]) => operation?.params[key] === undefined)
		const url = `${address}/api/v1${path}`
		const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
		const asked = isRead(name)
			? fetch(`${url}?${new URLSearchParams(rest).toString()}`, {headers})
			: fetch(url, {headers, method: operation?.method ?? '', body: JSON.stringify({...Object.fromEntries(rest), reason})})
		return parseExact(await (await asked).text())
	},
	client: async (name, args) =>
		await createClient({token, address}).call(name as 'svc_put_computers_isolation', {
			...(args as {connector_guid: string}),
			...(!isRead(name) && {reason})
		}),
	mcp: async (name, args) => {
		const rest = {...args, ...(args['limit'] !== undefined && {limit: Number(args['limit'])}), connection: 'lab'}
		if (isRead(name)) return await asked(name, rest)
		const {approval: id = '', state} = await asked(`propose_${name}`, {...rest, reason})
		expect(state).toBe('pending_approval')
		await bench.app.deps.profile.approvals.answer({id, verdict: 'approved', reason: null, surface: 'screen'})
		return await asked('approval', {approval: id, connection: 'lab'})
	}
}

interface Told {
	approval?: string
	state?: string
	total?: number
	leftOut?: number
	data: {message: string; records: unknown}
}

async function asked(name: string, args: Readonly<Record<string, unknown>>) {
	return parseExact(textOf(await assistant.callTool({name, arguments: {...args}}))) as unknown as Told
}

function argsOf(name: string): Args {
	const {tenant} = bench.sandbox.world
	const known: Args = {
		...{connector_guid: onlineComputer(bench.sandbox), group_guid: tenant.groups[1]?.guid ?? '', policy_guid: tenant.policies[0]?.guid ?? ''},
		...{file_list_guid: fileList, sha256: hash, q: 'SearchProtocolHost.exe', status: 'not_isolated'}
	}
	const spec = catalogue.find(one => one.name === name)
	const needed = Object.entries(spec?.args ?? {}).filter(
		([key, arg]) => arg.required || (key === 'limit' && name !== 'svc_get_computer_trajctory')
	)
	const args = Object.fromEntries(needed.map(([key]) => [key, key === 'limit' ? '3' : (known[key] ?? '')]))
	if (name !== 'svc_set_group_policy') return args
	return {...args, windows_policy_guid: tenant.policies.find(({product}) => product === 'windows')?.guid ?? ''}
}

let fileList = ''

/** Restores the same initial state for each surface. */
const undoneBy: Readonly<Record<string, string>> = {
	svc_move_computer: 'svc_move_computer',
	svc_set_group_policy: 'svc_set_group_policy',
	svc_put_computers_isolation: 'svc_delete_computers_isolation',
	svc_delete_computers_isolation: 'svc_put_computers_isolation',
	svc_set_file_list_files_by_sha: 'svc_delete_file_list_files_by_sha',
	svc_get_file_list_files_by_sha: 'svc_set_file_list_files_by_sha',
	svc_delete_file_list_files_by_sha: 'svc_set_file_list_files_by_sha'
}

async function begin(name: string) {
	const opposite = undoneBy[name]
	if (opposite === undefined) return
	const request = {connection, surface: 'automation', agreement: {reason: 'Beginning'}} as const
	const isIsolation = name.includes('isolation')
	const {tenant} = bench.sandbox.world
	const other = tenant.policies.findLast(({product}) => product === 'windows')?.guid ?? ''
	const elsewhere = {
		...(name === 'svc_move_computer' && {group_guid: tenant.groups[2]?.guid ?? ''}),
		...(name === 'svc_set_group_policy' && {windows_policy_guid: other})
	}
	const args = {...argsOf(opposite), ...elsewhere}
	await bench.app.runner.run({...request, name: opposite, args}).catch(() => {})
	if (!isIsolation) return
	const status = name.includes('_put_') ? 'not_isolated' : 'isolated'
	const {connector_guid = ''} = argsOf(name)
	await bench.app.runner.run({...request, name: 'svc_get_computers_isolation', args: {connector_guid, status}, options: {wait: 30}})
}

/** Removes times and entry ids, which differ between requests. Long numbers are texts, as the typed client gives them. */
function bare(value: unknown): unknown {
	const text = stringifyExact(value ?? null)
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'T')
		.replaceAll(/Cordon log \w+/g, 'Cordon log')
		.replaceAll(/(?<=[:[,])\d{16,}(?=[,\]}])/g, '"$&"')
	return JSON.parse(text)
}

function answerOf(given: unknown): unknown {
	const {command, args, data, message, total, missing = [], matches} = given as Record<string, unknown>
	return bare({command, args, data, message, total: total ?? null, missing, matches: matches ?? null})
}

/** An assistant gets the result in its own format; for a change, the outcome after a person's approval. */
function assistantsOf({state, total, leftOut, data: {message, records}}: Told, screen: unknown): unknown {
	const shown = screen as Record<string, unknown>
	if (state !== undefined) return state === 'used' ? shown : {state, records}
	return bare({...shown, message, total: total ?? null, data: leftOut === undefined ? records : filled(records, shown['data'])})
}

/** Restores what was cut from the ends of lists, or from a single long record. */
function filled(told: unknown, whole: unknown): unknown {
	if (Array.isArray(told) && Array.isArray(whole)) return [...(told as unknown[]), ...(whole as unknown[]).slice(told.length)]
	if (typeof told === 'string' && typeof whole === 'object')
		return JSON.stringify(whole).startsWith(String(bare(told)).slice(0, -50)) ? whole : told
	if (told === null || typeof told !== 'object') return told
	const parts = whole as Readonly<Record<string, unknown>>
	return Object.fromEntries(Object.entries(told).map(([key, value]) => [key, filled(value, parts[key])]))
}

/** Token, program and approval belong to the surface. */
const whoAndWhen = new Set(['token', 'client', 'approval', 'durationMs', 'entry', 'requestId'])

async function entriesOf(name: string, after: number): Promise<unknown[]> {
	const {entries} = await bench.app.log.query({limit: 20, command: name})
	return entries
		.filter(({seq, surface}) => seq > after && surface !== 'automation')
		.toSorted((one, other) => one.seq - other.seq)
		.map(({kind, command, args, target, message, data, connection: where}) => {
			const rest = Object.entries(data ?? {}).filter(([key]) => !whoAndWhen.has(key))
			return bare({kind, command, args, target, message, where, data: Object.fromEntries(rest)})
		})
}

test.each(catalogue.map(({name}) => name))('%s', async name => {
	if (fileList === '') {
		const request = {connection, surface: 'automation', name: 'svc_get_simple_custom_detections', args: {}} as const
		const {data} = await bench.app.runner.run(request)
		fileList = (data as {guid: string}[])[0]?.guid ?? ''
	}
	const args = argsOf(name)
	const told: Record<string, unknown> = {}
	const logged: Record<string, unknown> = {}
	for (const [way, ask] of Object.entries(ways)) {
		await begin(name)
		const {entries} = await bench.app.log.query({limit: 1})
		const said = await ask(name, args)
		told[way] = way === 'mcp' ? assistantsOf(said as Told, told['screen']) : answerOf(said)
		logged[way] = await entriesOf(name, entries[0]?.seq ?? 0)
	}
	expect(told['screen']).toMatchObject({command: name, message: expect.any(String)})
	for (const way of Object.keys(ways)) {
		expect({way, said: told[way]}).toEqual({way, said: told['screen']})
		expect({way, entries: logged[way]}).toEqual({way, entries: logged['screen']})
	}
	expect(logged['screen']).not.toEqual([])
})
