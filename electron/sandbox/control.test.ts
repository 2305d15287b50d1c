import {openBench, type Bench} from './testing/running.ts'

let bench: Bench
beforeAll(async () => {
	bench = await openBench({computers: 100, quota: 50})
})
afterAll(() => bench.stop())

test('control calls need their token, not the credential', async () => {
	expect((await bench.call('GET', '/sandbox/requests')).status).toBe(401)
	expect((await bench.raw('/sandbox/requests', {headers: {'x-sandbox-control': 'guess'}})).status).toBe(401)
	expect((await bench.control('GET', '/sandbox/nothing')).status).toBe(404)
})

test('control calls count requests and cost no API calls', async () => {
	await bench.control('DELETE', '/sandbox/requests')
	const before = await bench.get('/v1/version')
	await bench.get('/v1/version?')
	const seen = await bench.control('GET', '/sandbox/requests')
	expect(seen.at('total')).toBe(2)
	expect(seen.at('counts', 'GET /v1/version')).toBe(2)
	const after = await bench.get('/v1/version')
	expect(Number(before.headers.get('x-ratelimit-remaining')) - Number(after.headers.get('x-ratelimit-remaining'))).toBe(2)
})

test('the API limit can be reset', async () => {
	await bench.control('POST', '/sandbox/quota')
	expect((await bench.get('/v1/version')).headers.get('x-ratelimit-remaining')).toBe('49')
})

test('a computer can be deleted by someone else', async () => {
	const guid = await bench.guidOf('FIN-LT-0107')
	await bench.control('POST', `/sandbox/computers/${guid}`, {removed: true})
	expect((await bench.get(`/v1/computers/${guid}`)).status).toBe(404)
	expect((await bench.get('/v1/computers?limit=1')).at('metadata', 'results', 'total')).toBe(99)
})

test('a computer can be switched off, isolated, or exempted from isolation by someone else', async () => {
	const guid = await bench.guidOf('FIN-LT-0118')
	await bench.control('POST', `/sandbox/computers/${guid}`, {online: false, isolation: 'isolated', isolated_by: 'Night shift'})
	bench.pass(86_400_000)
	await bench.control('POST', '/sandbox/quota')
	const isolation = await bench.get(`/v1/computers/${guid}/isolation`)
	expect(isolation.at('data')).toMatchObject({status: 'isolated', isolated_by: 'Night shift'})
	const computer = await bench.get(`/v1/computers/${guid}`)
	expect(Date.parse(String(computer.at('data', 'last_seen')))).toBe(bench.now() - 86_400_000)
	await bench.control('POST', `/sandbox/computers/${guid}`, {isolation: 'not_isolated', available: false})
	expect((await bench.call('OPTIONS', `/v1/computers/${guid}/isolation`)).status).toBe(405)
})

test('a control call with an unknown field is refused', async () => {
	const guid = await bench.guidOf('FIN-LT-0118')
	expect((await bench.control('POST', `/sandbox/computers/${guid}`, {asleep: true})).status).toBe(400)
	expect((await bench.control('PUT', '/sandbox/weather', {rules: ['GET /v1=rain']})).status).toBe(400)
})

test('the story names its computers and what links them', async () => {
	const story = await bench.control('GET', '/sandbox/story')
	expect(story.at('computers')).toHaveLength(6)
	expect(story.at('indicators', 'commandServer')).toBe('203.0.113.66')
})
