import {basic, dig, openBench, type Bench} from './testing/running.ts'

let bench: Bench
beforeAll(async () => {
	bench = await openBench({computers: 1200, agentDelayMs: 1000})
})
afterAll(() => bench.stop())

describe('listing computers', () => {
	test('walks all pages by links, each computer once, without next on the last', async () => {
		const guids: string[] = []
		let path: string | undefined = '/v1/computers?limit=500'
		const sizes: number[] = []
		while (path !== undefined) {
			const page = await bench.get(path)
			guids.push(...page.rows.map(computer => String(computer['connector_guid'])))
			sizes.push(Number(page.at('metadata', 'results', 'current_item_count')))
			const next = page.at('metadata', 'links', 'next')
			path = next === undefined ? undefined : String(next).slice(bench.sandbox.url.length)
		}
		expect(sizes).toEqual([500, 500, 200])
		expect(new Set(guids).size).toBe(1200)
	})

	test('says where it is and clamps prev to the beginning', async () => {
		const page = await bench.get('/v1/computers?limit=3&offset=2&hostname[]=fin-')
		expect(page.at('metadata', 'links', 'self')).toBe(`${bench.sandbox.url}/v1/computers?limit=3&offset=2&hostname%5B%5D=fin-`)
		expect(page.at('metadata', 'links', 'prev')).toContain('offset=0')
		expect(page.at('metadata', 'links', 'next')).toContain('offset=5')
		expect(page.at('metadata', 'results')).toMatchObject({current_item_count: 3, index: 2, items_per_page: 3})
	})

	test('gives an empty page beyond the end', async () => {
		const page = await bench.get('/v1/computers?offset=5000')
		expect(page.rows).toEqual([])
		expect(page.at('metadata', 'results', 'total')).toBe(1200)
		expect(page.at('metadata', 'links', 'next')).toBeUndefined()
	})

	test.each(['limit=0', 'limit=501', 'limit=-1', 'limit=ten', 'limit=', 'offset=-1', 'offset=1.5', 'last_seen_over=soon'])(
		'refuses %s',
		async query => {
			const {status, detail} = await bench.get(`/v1/computers?${query}`)
			expect(status).toBe(400)
			expect(detail).toContain(query.replace(/=.*/, ''))
		}
	)

	test('finds parts of host names in any case, alternatives by repetition, with or without brackets', async () => {
		const names = async (query: string) => (await bench.get(`/v1/computers?${query}`)).rows.map(computer => String(computer['hostname']))
		expect(await names('hostname=fin-lt-0231')).toEqual(['FIN-LT-0231'])
		const both = await names('hostname[]=FIN-DC&hostname[]=pacs-02')
		expect(both.toSorted()).toEqual(['FIN-DC-01', 'MED-PACS-02'])
		expect(await names('hostname=janE’s')).toEqual(['Jane’s MacBook Pro'])
	})

	test('filters by group, addresses and age, all at once', async () => {
		const host = (await bench.get('/v1/computers?hostname=FIN-LT-0231')).first
		const ip = encodeURIComponent(String(dig(host, ['internal_ips', 0])))
		const exactly = await bench.get(
			`/v1/computers?internal_ip=${ip}&external_ip=${String(host['external_ip'])}&group_guid[]=${String(host['group_guid'])}&last_seen_within=1`
		)
		expect(exactly.rows).toEqual([host])
		expect((await bench.get(`/v1/computers?internal_ip=${ip}&last_seen_over=1`)).rows).toEqual([])
	})

	test('finds an address behind the leading blank of a second one', async () => {
		const all = (await bench.get('/v1/computers')).rows
		const host = all.find(computer => String(dig(computer, ['internal_ips', 1])).startsWith(' '))
		const second = String(dig(host, ['internal_ips', 1])).trim()
		const found = (await bench.get(`/v1/computers?internal_ip=${second}`)).rows
		expect(found.map(computer => computer['connector_guid'])).toContain(host?.['connector_guid'])
	})

	test('guarantees finance computers that can be isolated', async () => {
		const {rows} = await bench.get('/v1/computers?hostname=FIN-LT&last_seen_within=1')
		const ready = rows.filter(({isolation}) => dig(isolation, ['available']) === true && dig(isolation, ['status']) === 'not_isolated')
		expect(ready.map(computer => computer['hostname'])).toEqual(expect.arrayContaining(['FIN-LT-0107', 'FIN-LT-0118', 'FIN-LT-0231']))
	})
})

const groupNamed = async (name: string) => String((await bench.get(`/v1/groups?name=${name}`)).first['guid'])
const move = (guid: string, group_guid: string) => bench.call('PATCH', `/v1/computers/${guid}`, {group_guid})
const policyOf = async (guid: string) => (await bench.get(`/v1/computers/${guid}`)).at('data', 'policy', 'name')

describe('moving a computer', () => {
	test('is accepted with the new group and the old policy, which follows when the connector has answered', async () => {
		const guid = await bench.guidOf('FIN-LT-0107')
		const target = await groupNamed('Quarantine')
		const moved = await move(guid, target)
		expect(moved.status).toBe(202)
		expect(moved.at('data')).toMatchObject({group_guid: target, policy: {name: 'Protect'}})
		expect(moved.at('data')).not.toHaveProperty('last_seen')
		expect(moved.at('data', 'links', 'group')).toContain(target)
		expect(await policyOf(guid)).toBe('Protect')
		bench.pass(2000)
		expect(await policyOf(guid)).toBe('Triage')
		const newest = (await bench.get(`/v1/events?connector_guid[]=${guid}&limit=1`)).first
		expect(newest).toMatchObject({event_type_id: 553648130, group_guids: [target]})
	})

	test('takes a form body, and refuses an unknown group or none', async () => {
		const guid = await bench.guidOf('FIN-LT-0118')
		const target = await groupNamed('Triage')
		const form = await bench.raw(`/v1/computers/${guid}`, {
			method: 'PATCH',
			body: new URLSearchParams({group_guid: target}),
			headers: {authorization: basic(bench.sandbox.clientId, bench.sandbox.apiKey)}
		})
		expect([form.status, form.at('data', 'group_guid')]).toEqual([202, target])
		expect((await bench.call('PATCH', `/v1/computers/${guid}`, {})).status).toBe(400)
		expect((await move(guid, guid)).status).toBe(404)
	})

	test('changes nothing for an offline connector until it comes back', async () => {
		const guid = await bench.guidOf('ENG-WS-0150')
		const target = await groupNamed('Triage')
		await move(guid, target)
		bench.pass(86_400_000)
		expect(await policyOf(guid)).toBe('Protect')
		await bench.control('POST', `/sandbox/computers/${guid}`, {online: true})
		bench.pass(2000)
		expect(await policyOf(guid)).toBe('Triage')
	})
})

test('a setting of a group reaches the computers that inherit it', async () => {
	const finance = (await bench.get('/v1/groups?name=Finance')).rows.find(({name}) => name === 'Finance')
	const triage = (await bench.get('/v1/policies?product=windows&name[]=Triage')).first
	const guid = await bench.guidOf('FIN-LT-0260')
	const patch = (body: Record<string, string>) => bench.call('PATCH', `/v1/groups/${String(finance?.['guid'])}`, body)
	const patched = await patch({windows_policy_guid: String(triage['guid'])})
	expect(patched.status).toBe(202)
	const own = patched.at('data', 'policies', 0)
	expect(own).toMatchObject({product: 'windows', name: 'Triage', inherited: false})
	expect(await policyOf(guid)).toBe('Protect')
	bench.pass(2000)
	expect(await policyOf(guid)).toBe('Triage')
	const mac = (await bench.get('/v1/policies?product[]=mac')).first
	expect((await patch({windows_policy_guid: String(mac['guid'])})).status).toBe(400)
	expect((await patch({})).status).toBe(400)
})
