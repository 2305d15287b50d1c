/** Every change under every weather is sent once, and its report is true. */

import {groupOf, readyComputers} from '#sandbox/testing/running.ts'
import {CordonError, hasCode} from '#contract/errors.ts'
import {defaultGuardRules} from '#model/guard.ts'

import {openBench, type Bench} from './testing/bench.ts'

interface Change {
	name: string
	args: Readonly<Record<string, string>>
	done: () => Promise<boolean>
}

let bench: Bench
let used = 0
let free: readonly string[] | undefined

beforeAll(async () => {
	bench = await openBench({computers: 240, seed: 'weather', agentDelayMs: 5000}, {responseMs: 1500})
	// Allows many more isolations than a person makes in a day.
	const rules = {...defaultGuardRules, rolling: {isolations: 1000, hours: 24}}
	bench.profile.guards.setRules({connection: 'sandbox', rules, confirm: 'Sandbox', surface: 'cli'})
})
afterAll(() => bench.close())

const weathers = [
	'latency:20',
	'skew:-86400',
	'drip:1',
	'429:5,times:2',
	'500',
	'502',
	'503',
	'504',
	'status:418',
	'html',
	'reset',
	'hang',
	'redirect:/v1/version',
	'redirect:https://elsewhere.example/',
	'errors',
	'empty',
	'malformed',
	'truncate',
	'drop'
]

test.each(weathers)('%s: each change is carried out at most once, and its outcome is no lie', async weather => {
	const changes = await sixChanges()
	const before = bench.sandbox.requests.length
	bench.sandbox.weather.set(['PUT', 'POST', 'PATCH', 'DELETE'].map(method => `${method} *=${weather}`))
	const told = await Promise.all(changes.map(tell))
	bench.sandbox.weather.clear()
	const writes = bench.sandbox.requests.slice(before).filter(({method}) => method !== 'GET' && method !== 'OPTIONS')
	// A 429 was not carried out: what follows it is the first real attempt.
	const most = weather.startsWith('429') ? changes.length + 2 * 4 : changes.length
	expect(writes.length).toBeGreaterThanOrEqual(changes.length)
	expect(writes.length).toBeLessThanOrEqual(most)
	// By now agents have answered and delayed states are visible.
	await bench.ports.clock.advance(60_000)
	for (const [index, change] of changes.entries()) {
		const done = await change.done()
		const outcome = told[index]
		expect({command: change.name, outcome, done}).toEqual({
			command: change.name,
			outcome,
			done: outcome === 'succeeded' ? true : outcome === 'failed' ? false : done
		})
	}
})

test('every intent has one outcome', async () => {
	const {entries} = await bench.profile.log.query({limit: 1000, writesOnly: true})
	const intents = entries.filter(({kind}) => kind === 'command.requested')
	expect(intents.length).toBeGreaterThan(weathers.length * 6)
	for (const {id} of intents) expect(entries.filter(({about}) => about === id)).toHaveLength(1)
})

async function tell({name, args}: Change) {
	try {
		await bench.run(name, {...args})
		return 'succeeded'
	} catch (error) {
		if (!(error instanceof CordonError)) throw error
		return error.code === 'outcome_unknown' ? 'unknown' : 'failed'
	}
}

async function sixChanges(): Promise<Change[]> {
	const [one = '', two = '', three = ''] = freeComputers(3)
	const [group = '', other = ''] = await bench.guids('svc_get_groups')
	const [list = ''] = await bench.guids('svc_get_simple_custom_detections')
	const [added, listed] = [newHash(), newHash()]
	await bench.run('svc_put_computers_isolation', {connector_guid: two})
	await bench.run('svc_set_file_list_files_by_sha', {file_list_guid: list, sha256: listed})
	await bench.ports.clock.advance(60_000)
	const target = groupOf(bench.sandbox, three) === group ? other : group
	const [policy = ''] = await without(group, await bench.guids('svc_get_policies', {product: 'windows'}))
	return [
		{name: 'svc_put_computers_isolation', args: {connector_guid: one}, done: () => isCutOff(one)},
		{name: 'svc_delete_computers_isolation', args: {connector_guid: two}, done: async () => !(await isCutOff(two))},
		{name: 'svc_move_computer', args: {connector_guid: three, group_guid: target}, done: async () => groupOf(bench.sandbox, three) === target},
		{name: 'svc_set_file_list_files_by_sha', args: {file_list_guid: list, sha256: added}, done: () => isListed(list, added)},
		{name: 'svc_delete_file_list_files_by_sha', args: {file_list_guid: list, sha256: listed}, done: async () => !(await isListed(list, listed))},
		{
			name: 'svc_set_group_policy',
			args: {group_guid: group, windows_policy_guid: policy},
			done: async () => (await policiesOf(group)).includes(policy)
		}
	]
}

/** Online, may be isolated, no server, and not used before. */
function freeComputers(count: number) {
	used += count
	// Read once: computers that the tests isolate keep their place.
	return (free ??= readyComputers(bench.sandbox)).slice(used - count, used)
}

function newHash() {
	return crypto.randomUUID().replaceAll('-', '').repeat(2)
}

async function isCutOff(guid: string) {
	const {data} = await bench.run('svc_get_computers_isolation', {connector_guid: guid})
	return ['pending_start', 'isolated'].includes((data as {status: string}).status)
}

async function isListed(list: string, sha256: string) {
	try {
		await bench.run('svc_get_file_list_files_by_sha', {file_list_guid: list, sha256})
		return true
	} catch (error) {
		if (hasCode(error, 'not_found')) return false
		throw error
	}
}

async function without(group: string, policies: string[]) {
	const had = await policiesOf(group)
	return policies.filter(policy => !had.includes(policy))
}

async function policiesOf(group: string) {
	const {data} = await bench.run('svc_get_group', {group_guid: group})
	return (data as {policies: {guid: string}[]}).policies.map(({guid}) => guid)
}
