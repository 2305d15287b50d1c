import {openBench, type Bench} from './testing/running.ts'

let bench: Bench
beforeAll(async () => {
	bench = await openBench({computers: 300})
})
afterAll(() => bench.stop())

const path = '/v1/audit_logs'
const asked = (query: Readonly<Record<string, string>>) => bench.get(`${path}?${new URLSearchParams(query).toString()}`)

describe('the audit log', () => {
	test('has thirty days of what others did, newest first, the same each time', async () => {
		const {rows} = await asked({limit: '500'})
		expect(rows.length).toBeGreaterThan(300)
		const times = rows.map(row => Date.parse(String(row['created_at'])))
		expect(times).toEqual(times.toSorted((one, other) => other - one))
		expect(Object.keys(rows[0] ?? {})).toEqual([
			'event',
			'audit_log_type',
			'audit_log_id',
			'audit_log_user',
			'created_at',
			'old_attributes',
			'new_attributes'
		])
		const again = await openBench({computers: 300})
		expect((await again.get(`${path}?limit=500`)).rows).toEqual(rows)
		await again.stop()
	})

	test('answers to its filters, alone and together, and in pages', async () => {
		const all = (await asked({limit: '500'})).rows
		const logins = (await asked({event: 'login', audit_log_type: 'user', limit: '500'})).rows
		expect(logins).toEqual(all.filter(row => row['event'] === 'login'))
		const {audit_log_user: user, audit_log_id: id} = all[3] ?? {}
		expect((await asked({audit_log_user: String(user), audit_log_id: String(id)})).rows).toContainEqual(all[3])
		const middle = String(all[100]?.['created_at'])
		const since = await asked({start_time: middle, limit: '500'})
		const before = await asked({end_time: middle, limit: '500'})
		expect(since.rows.length + before.rows.length).toBe(all.length)
		expect(since.rows).toContainEqual(all[100])
		expect(before.rows).not.toContainEqual(all[100])
		expect((await asked({limit: '10', offset: '20'})).rows).toEqual(all.slice(20, 30))
		expect((await asked({start_time: 'yesterday'})).status).toBe(400)
		expect((await asked({user: 'x'})).status).toBe(400)
	})

	test('tells what is changed over the API, and what somebody else changes', async () => {
		const guid = await bench.guidOf('FIN-LT-0107')
		const groups = (await bench.get('/v1/groups?limit=2')).rows
		await bench.call('PUT', `/v1/computers/${guid}/isolation`, {comment: 'ours', unlock_code: 'tango42'})
		bench.pass(60_000)
		await bench.control('POST', `/sandbox/computers/${guid}`, {group_guid: groups[0]?.['guid']})
		const [newest, older] = (await asked({audit_log_id: guid})).rows
		expect(newest).toMatchObject({event: 'update', audit_log_type: 'Computer', audit_log_user: expect.stringContaining('@')})
		expect(newest).toMatchObject({new_attributes: {hostname: 'FIN-LT-0107', group_id: expect.any(Number)}})
		expect(older).toMatchObject({new_attributes: {isolated: true, comment: 'ours', unlock_code: 'tango42'}})
		expect(older?.['audit_log_user']).not.toContain('@')
	})
})
