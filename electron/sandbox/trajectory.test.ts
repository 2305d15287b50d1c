import {dig, openBench, type Bench, type Row} from './testing/running.ts'

let bench: Bench
beforeAll(async () => {
	bench = await openBench({computers: 400})
})
afterAll(() => bench.stop())

async function eventsOf(name: string, query = '') {
	const reply = await bench.get(`/v1/computers/${await bench.guidOf(name)}/trajectory${query}`)
	return reply.at('data', 'events') as Row[]
}

async function hostsWith(q: string) {
	return (await bench.get(`/v1/computers/activity?q=${encodeURIComponent(q)}`)).rows.map(stub => stub['hostname'])
}

describe('a trajectory', () => {
	test('has the newest 500 events unless asked otherwise, newest first, without paging', async () => {
		const path = `/v1/computers/${await bench.guidOf('FIN-LT-0231')}/trajectory`
		const reply = await bench.get(path)
		const events = reply.at('data', 'events') as Row[]
		expect(events).toHaveLength(500)
		expect(reply.at('metadata', 'results')).toBeUndefined()
		expect((await eventsOf('FIN-LT-0231', '?limit=5000')).length).toBeGreaterThan(900)
		const times = events.map(event => Number(event['timestamp']))
		expect(times).toEqual(times.toSorted((a, b) => b - a))
		expect((await bench.get(`${path}?limit=5001`)).status).toBe(400)
		expect((await bench.get(`${path}?offset=5`)).status).toBe(400)
	})

	test('tells the attack in order', async () => {
		const {dropper} = bench.sandbox.world.tenant.story.indicators
		const events = await eventsOf('FIN-LT-0231', '?limit=5000')
		const told = events
			.toReversed()
			.map(event => [event['event_type'], dig(event, ['file', 'file_name']) ?? dig(event, ['network_info', 'remote_ip'])].join(' '))
		const scenes = [
			'Created by Invoice_2291.docm',
			'NFM 203.0.113.66',
			'Created by updchk.exe',
			'Executed by updchk.exe',
			'Threat Detected updchk.exe'
		]
		const places = scenes.map(scene => told.indexOf(scene))
		expect(places).toEqual(places.toSorted((a, b) => a - b))
		expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
		expect(events.some(event => dig(event, ['file', 'identity', 'sha256']) === dropper)).toBe(true)
	})

	test('mixes activity without ids and events with textual ones', async () => {
		const events = await eventsOf('FIN-SRV-014', '?limit=5000')
		const cloud = events.filter(event => event['event_type_id'] !== undefined)
		expect(cloud.length).toBeGreaterThan(1)
		for (const event of cloud) {
			expect(typeof event['id']).toBe('string')
			expect(event).not.toHaveProperty('group_guids')
		}
		for (const event of events.filter(other => other['event_type_id'] === undefined)) expect(event).not.toHaveProperty('id')
	})

	test('shows what happened since the start', async () => {
		const guid = await bench.guidOf('FIN-LT-0107')
		await bench.call('PUT', `/v1/computers/${guid}/isolation`)
		bench.pass(10_000)
		expect((await eventsOf('FIN-LT-0107', '?limit=1'))[0]).toMatchObject({event_type: 'Endpoint Isolation Start Success'})
	})

	test('is the same each time it is asked for', async () => {
		expect(await eventsOf('MED-WS-0412')).toEqual(await eventsOf('MED-WS-0412'))
	})
})

const valuePaths = [
	'file.identity.sha256',
	'file.parent.identity.sha256',
	'file.file_name',
	'file.parent.file_name',
	'network_info.remote_ip',
	'network_info.local_ip',
	'network_info.parent.identity.sha256'
].map(path => path.split('.'))

describe('searching by value', () => {
	test.each(['203.0.113.66', 'updchk.exe', 'UPDCHK.EXE', '203.0.113.66/status'])('%s leads to the three computers of the attack', async q => {
		expect((await hostsWith(q)).toSorted()).toEqual(['FIN-LT-0231', 'FIN-SRV-014', 'MED-WS-0412'])
	})

	test('the hash of the document leads to both that received it', async () => {
		const {document} = bench.sandbox.world.tenant.story.indicators
		expect((await hostsWith(document)).toSorted()).toEqual(['FIN-LT-0231', 'HR-LT-0042'])
	})

	test('its links carry the question on', async () => {
		const {first} = await bench.get('/v1/computers/activity?q=SearchProtocolHost.exe&limit=5')
		expect(String(dig(first, ['links', 'trajectory']))).toMatch(/\/trajectory\?q=SearchProtocolHost\.exe$/)
	})

	test('needs a question', async () => {
		expect((await bench.get('/v1/computers/activity')).status).toBe(400)
		expect((await bench.get('/v1/computers/activity?q=')).status).toBe(400)
		expect(await hostsWith('no such thing')).toEqual([])
	})

	test('agrees with the trajectories, both ways', async () => {
		const hosts = bench.sandbox.world.fleet.hosts().slice(0, 30)
		const values = new Map<string, Set<string>>()
		for (const host of hosts) {
			const reply = await bench.get(`/v1/computers/${host.guid}/trajectory?limit=5000`)
			for (const event of reply.at('data', 'events') as Row[]) {
				for (const path of valuePaths) {
					const value = dig(event, path)
					if (typeof value === 'string' && value !== '0.0.0.0') values.set(value, (values.get(value) ?? new Set()).add(host.guid))
				}
			}
		}
		expect(values.size).toBeGreaterThan(60)
		for (const [value, guids] of values) {
			const found = new Set((await bench.get(`/v1/computers/activity?q=${encodeURIComponent(value)}`)).rows.map(stub => stub['connector_guid']))
			expect(
				hosts
					.filter(({guid}) => found.has(guid))
					.map(({guid}) => guid)
					.toSorted(),
				value
			).toEqual([...guids].toSorted())
		}
	})
})

describe('a user', () => {
	test('is found on the computers that the person uses, by name or as events write it', async () => {
		const host = bench.sandbox.world.tenant.hosts.find(({user}) => user !== '')
		const find = async (q: string) =>
			(await bench.get(`/v1/computers/user_activity?q=${encodeURIComponent(q)}`)).rows.map(stub => stub['hostname'])
		const user = host?.user ?? ''
		expect(await find(user)).toContain(host?.hostname)
		expect(await find(`${user}@${host?.hostname ?? ''}`)).toEqual([host?.hostname])
		expect(await find('nobody')).toEqual([])
		expect((await bench.get('/v1/computers/user_activity')).status).toBe(400)
	})

	test('has a trajectory with the events that name it, and a stub of the computer', async () => {
		const guid = await bench.guidOf('FIN-LT-0231')
		const host = bench.sandbox.world.tenant.hosts.find(each => each.guid === guid)
		const reply = await bench.get(`/v1/computers/${guid}/user_trajectory?q=${host?.user ?? ''}`)
		expect(reply.at('data', 'computer', 'policy')).toBeUndefined()
		const events = reply.at('data', 'events') as Row[]
		expect(events.length).toBeGreaterThan(0)
		for (const event of events) expect(event['user_name']).toBe(`${host?.user ?? ''}@FIN-LT-0231`)
	})
})

test('vulnerable programs of a computer come in one object, hashes in upper case', async () => {
	const hosts = bench.sandbox.world.tenant.hosts.slice(0, 60)
	const lists = await Promise.all(
		hosts.map(async ({guid}) => {
			const reply = await bench.get(`/v1/computers/${guid}/vulnerabilities`)
			expect(reply.at('data', 'connector_guid')).toBe(guid)
			return reply.at('data', 'vulnerabilities') as Row[]
		})
	)
	const found = lists.flat()
	expect(found.length).toBeGreaterThan(0)
	for (const each of found) expect(dig(each, ['file', 'identity', 'sha256'])).toMatch(/^[0-9A-F]{64}$/)
})
