import {openBench, type Bench} from './testing/running.ts'

let bench: Bench
beforeEach(async () => {
	bench = await openBench({computers: 200, agentDelayMs: 4000})
})
afterEach(() => bench.stop())

/** No agent takes longer. */
const longest = 6100
const pathOf = async (name: string) => `/v1/computers/${await bench.guidOf(name)}/isolation`
const guidIn = (path: string) => path.split('/')[3]
/** What the computer of that path does. */
const control = (path: string, change: object) => bench.control('POST', `/sandbox/computers/${guidIn(path)}`, change)
const statusOf = async (method: string, path: string) => (await bench.call(method, path)).status
const statusAt = async (path: string) => (await bench.get(path)).at('data', 'status')
const newestEvent = async (path: string): Promise<unknown> => (await bench.get(`/v1/events?limit=1&connector_guid=${guidIn(path)}`)).first

describe('isolating', () => {
	test('goes from not isolated over pending start to isolated, and says so in an event', async () => {
		const path = await pathOf('FIN-LT-0231')
		expect((await bench.get(path)).at('data')).toEqual({available: true, status: 'not_isolated', unlock_code: null, comment: null})
		const accepted = await bench.call('PUT', path, {comment: 'Ticket 7'})
		expect(accepted.status).toBe(200)
		expect(accepted.at('data')).toMatchObject({available: true, status: 'pending_start', comment: 'Ticket 7', isolated_by: 'Cordon sandbox'})
		expect(accepted.at('data', 'unlock_code')).toMatch(/^[a-z]{6}$/)
		bench.pass(1900)
		expect(await statusAt(path)).toBe('pending_start')
		bench.pass(4200)
		expect(await statusAt(path)).toBe('isolated')
		expect(await newestEvent(path)).toMatchObject({event_type_id: 553648202, event_type: 'Endpoint Isolation Start Success'})
	})

	test('keeps the unlock code that it was given', async () => {
		const path = await pathOf('FIN-LT-0107')
		expect((await bench.call('PUT', path, {unlock_code: 'Four-And-Twenty_Letters!'})).at('data', 'unlock_code')).toBe('Four-And-Twenty_Letters!')
	})

	test.each([
		['25 characters', 'x'.repeat(25), 'Validation failed: Unlock Code is invalid, Unlock Code is too long. (Maximum 24 characters)'],
		['a space', 'open sesame', 'Validation failed: Unlock Code is invalid, Unlock Code cannot contain spaces']
	])('refuses a code with %s', async (_what, unlock_code, text) => {
		const path = await pathOf('FIN-LT-0107')
		const refused = await bench.call('PUT', path, {unlock_code})
		expect([refused.status, refused.detail]).toEqual([400, text])
		expect(await statusAt(path)).toBe('not_isolated')
	})

	test.each(['FIN-LT-0260', 'OPS-LT-0077', 'HR-LT-0019'])('is a conflict for %s, which is not at rest', async name => {
		expect(await statusOf('PUT', await pathOf(name))).toBe(409)
	})

	test('is refused where the policy does not allow it, and OPTIONS says so', async () => {
		const path = await pathOf('FIN-DC-01')
		expect(await statusOf('OPTIONS', path)).toBe(405)
		expect(await statusOf('PUT', path)).toBe(405)
		expect((await bench.get(path)).at('data')).toMatchObject({available: false, status: 'not_isolated'})
	})

	test('stays pending for ever while the connector is away, and ends when it comes back', async () => {
		const path = await pathOf('OPS-LT-0077')
		bench.pass(30 * 86_400_000)
		expect(await statusAt(path)).toBe('pending_start')
		await control(path, {online: true})
		bench.pass(longest)
		expect(await statusAt(path)).toBe('isolated')
	})

	test('fails when the connector says so', async () => {
		const path = await pathOf('FIN-LT-0107')
		await control(path, {fails_next: true})
		await bench.call('PUT', path)
		bench.pass(longest)
		expect(await statusAt(path)).toBe('not_isolated')
		expect(await newestEvent(path)).toMatchObject({event_type_id: 2164260939, error: {error_code: 3221225506}})
	})

	test('takes its own time on each computer, the same with each start', async () => {
		const {fleet, agents} = bench.sandbox.world
		const delays = fleet.hosts().map(host => agents.delayOf(host))
		const again = await openBench({computers: 200, agentDelayMs: 4000})
		expect(again.sandbox.world.fleet.hosts().map(host => again.sandbox.world.agents.delayOf(host))).toEqual(delays)
		expect(new Set(delays).size).toBeGreaterThan(100)
		expect(Math.min(...delays)).toBeGreaterThanOrEqual(2000)
		expect(Math.max(...delays)).toBeLessThanOrEqual(6000)
		await again.stop()
	})
})

describe('releasing', () => {
	test('may still say isolated, then pending stop, then not isolated, with the code still shown', async () => {
		const {fleet} = bench.sandbox.world
		const ready = fleet.hosts().filter(host => fleet.online(host) && fleet.available(host) && fleet.isolation(host).status === 'not_isolated')
		const seen = new Set<string>()
		for (const {guid} of ready.slice(0, 12)) {
			const path = `/v1/computers/${guid}/isolation`
			await bench.call('PUT', path, {unlock_code: 'secret', comment: 'why'})
			bench.pass(longest)
			const first = await bench.call('DELETE', path)
			const statuses = [first.at('data', 'status')]
			for (const ms of [1600, 4600]) {
				bench.pass(ms)
				statuses.push(await statusAt(path))
			}
			seen.add(statuses.join(' '))
			expect((await bench.get(path)).at('data')).toEqual({available: true, status: 'not_isolated', unlock_code: 'secret', comment: 'why'})
		}
		expect([...seen].toSorted()).toEqual(['isolated pending_stop not_isolated', 'pending_stop pending_stop not_isolated'])
	})

	test('says how long it was', async () => {
		const path = await pathOf('FIN-LT-0107')
		await bench.call('PUT', path)
		await bench.control('POST', '/sandbox/agent', {})
		bench.pass(46_000)
		await bench.call('DELETE', path, {comment: 'clean'})
		await bench.control('POST', '/sandbox/agent', {connector_guid: guidIn(path)})
		expect(await newestEvent(path)).toMatchObject({event_type_id: 553648204, isolation: {duration: 46}})
		expect((await bench.get(path)).at('data', 'comment')).toBe('clean')
	})

	test('is a conflict when the computer is not isolated or already on its way', async () => {
		expect(await statusOf('DELETE', await pathOf('FIN-LT-0107'))).toBe(409)
		expect(await statusOf('DELETE', await pathOf('HR-LT-0019'))).toBe(409)
	})

	test('takes back a request that is still pending, and the late answer to it counts for nothing', async () => {
		const path = await pathOf('FIN-LT-0107')
		await bench.call('PUT', path)
		bench.pass(1000)
		expect((await bench.call('DELETE', path)).at('data', 'status')).toBe('pending_stop')
		bench.pass(longest)
		expect(await statusAt(path)).toBe('not_isolated')
		expect(await newestEvent(path)).toMatchObject({event_type_id: 553648204})
	})
})

test('OPTIONS names what is possible now, without a body', async () => {
	const path = await pathOf('FIN-LT-0107')
	const rest = await bench.call('OPTIONS', path)
	expect([rest.status, rest.text, rest.headers.get('allow')]).toEqual([204, '', 'OPTIONS, GET, PUT'])
	await bench.call('PUT', path)
	bench.pass(longest)
	expect((await bench.call('OPTIONS', path)).headers.get('allow')).toBe('OPTIONS, GET, DELETE')
})

test('changes by others show, and an earlier pending answer is dropped', async () => {
	const path = await pathOf('FIN-LT-0107')
	await bench.call('PUT', path)
	const told = await control(path, {isolation: 'not_isolated'})
	expect(told.at('isolation', 'status')).toBe('not_isolated')
	bench.pass(60_000)
	expect(await statusAt(path)).toBe('not_isolated')
})
