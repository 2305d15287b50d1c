import {programs} from './tenant/programs.ts'
import {dig, openBench, type Bench, type Row} from './testing/running.ts'

let bench: Bench
beforeEach(async () => {
	bench = await openBench({computers: 300, agentDelayMs: 1000})
})
afterEach(() => bench.stop())

const sha = 'AB'.repeat(32)

/** Where the hashes of that list are. */
async function filesOf(name: string, type = 'simple_custom_detections') {
	const {guid} = (await bench.get(`/v1/file_lists/${type}?name[]=${encodeURIComponent(name)}`)).first
	return `/v1/file_lists/${String(guid)}/files`
}

describe('file lists', () => {
	test('are of two kinds', async () => {
		expect((await bench.get('/v1/file_lists/application_blocking')).rows).toHaveLength(5)
		expect((await bench.get('/v1/file_lists/simple_custom_detections')).rows).toHaveLength(7)
		const two = await bench.get('/v1/file_lists/simple_custom_detections?name[]=Mac adware&name[]=Red team, exercise 3 (do not delete)')
		expect(two.rows.map(({name}) => name)).toEqual(['Mac adware', 'Red team, exercise 3 (do not delete)'])
	})

	test('page through thousands of hashes inside an object', async () => {
		const files = await filesOf('Threat feed import')
		const last = await bench.get(`${files}?limit=500&offset=4000`)
		expect(last.at('data', 'name')).toBe('Threat feed import')
		expect(last.at('data', 'items')).toHaveLength(200)
		expect(last.at('metadata', 'results')).toEqual({total: 4200, current_item_count: 200, index: 4000, items_per_page: 500})
		expect(last.at('metadata', 'links', 'next')).toBeUndefined()
		expect(dig(last.body, ['data', 'policies', 0, 'name'])).toBe('Triage')
	})

	test('may be empty', async () => {
		const files = await filesOf('Empty blocking list', 'application_blocking')
		expect((await bench.get(files)).at('data', 'items')).toEqual([])
	})

	test('take a hash once, in lower case, and give it back', async () => {
		const files = await filesOf('Known bad files')
		const path = `${files}/${sha}`
		const notFound = [404, `Imn File List Item not found for given sha256: ${sha}`]
		const missing = await bench.get(path)
		expect([missing.status, missing.detail]).toEqual(notFound)
		const added = await bench.call('POST', path)
		expect([added.status, added.at('data', 'sha256')]).toEqual([201, sha.toLowerCase()])
		expect(added.at('data')).not.toHaveProperty('description')
		const again = await bench.call('POST', path, {description: 'once more'})
		expect([again.status, again.detail]).toEqual([409, 'Validation failed: SHA-256 has already been taken'])
		expect((await bench.call('DELETE', path)).status).toBe(200)
		const gone = await bench.call('DELETE', path)
		expect([gone.status, gone.detail]).toEqual(notFound)
	})

	test('refuse what is no hash, and an unknown list', async () => {
		const files = await filesOf('Known bad files')
		expect((await bench.call('POST', `${files}/abc`)).status).toBe(400)
		expect((await bench.call('POST', `/v1/file_lists/00000000-0000-4000-8000-000000000000/files/${sha}`)).status).toBe(404)
	})

	test('raise the serial number of their policies', async () => {
		const files = await filesOf('Known bad files')
		const serial = async () => Number((await bench.get('/v1/policies?product=windows&name=Protect')).first['serial_number'])
		const before = await serial()
		await bench.call('POST', `${files}/${sha}`)
		expect(await serial()).toBe(before + 1)
	})

	test.each([
		['application_blocking', 'Unwanted applications', [553648168]],
		['simple_custom_detections', 'Known bad files', [553648143, 1090519054]]
	])('of %s are met by computers that have the file', async (type, name, eventTypes) => {
		const files = await filesOf(name, type)
		const edge = programs.find(program => program.name === 'msedge.exe')?.sha256 ?? ''
		const before = (await bench.get(`/v1/events?detection_sha256=${edge}`)).rows.length
		await bench.call('POST', `${files}/${edge}`)
		bench.pass(2000)
		const {rows} = await bench.get(`/v1/events?detection_sha256=${edge}`)
		expect(before).toBe(0)
		expect([...new Set(rows.map(event => Number(event['event_type_id'])))].toSorted((a, b) => a - b)).toEqual(eventTypes)
	})
})

describe('groups', () => {
	test('name their ancestors, the direct parent first', async () => {
		const {rows} = await bench.get('/v1/groups')
		expect(rows.find(({name}) => name === 'Finance Laptops')?.['ancestry']).toMatchObject([{name: 'Finance'}, {name: 'Corporate'}])
		expect(rows.find(({name}) => name === 'Corporate')).not.toHaveProperty('ancestry')
	})

	test('say which policies they inherit and how many computers they have', async () => {
		const wanted = (await bench.get('/v1/groups?name=Finance Servers')).first
		const detail = await bench.get(`/v1/groups/${String(wanted['guid'])}`)
		const policies = detail.at('data', 'policies') as Row[]
		expect(policies.map(({product, name, inherited}) => [product, name, inherited])).toEqual([
			['windows', 'Server', false],
			['android', 'Protect', true],
			['mac', 'Protect', true],
			['linux', 'Server', false],
			['ios', 'Protect', true]
		])
		const members = await bench.get(`/v1/computers?group_guid[]=${String(wanted['guid'])}&limit=1`)
		expect(detail.at('data', 'computers_count')).toBe(members.at('metadata', 'results', 'total'))
	})

	test('and policies that do not exist are not found', async () => {
		for (const kind of ['groups', 'policies', 'file_lists']) {
			const reply = await bench.get(`/v1/${kind}/00000000-0000-4000-8000-000000000000`)
			expect([reply.status, reply.at('errors', 0, 'description')]).toEqual([404, 'Not Found'])
		}
	})
})

describe('policies', () => {
	test('come by product and name, and are filtered by both', async () => {
		const {rows} = await bench.get('/v1/policies')
		const order = rows.map(({product, name}) => `${String(product)} ${String(name)}`)
		expect(order).toEqual(order.toSorted())
		const some = await bench.get('/v1/policies?product[]=mac&product[]=linux&name[]=Triage&name[]=Server')
		expect(some.rows.map(({product, name}) => [product, name])).toEqual([
			['linux', 'Server'],
			['mac', 'Triage']
		])
	})

	test('name their lists and groups; phones have no exclusions', async () => {
		const {guid} = (await bench.get('/v1/policies?product=windows&name=Clinical')).first
		const clinical = await bench.get(`/v1/policies/${String(guid)}`)
		expect((clinical.at('data', 'file_lists') as Row[]).map(({type}) => type)).toContain('allowed_applications')
		expect((clinical.at('data', 'used_in_groups') as Row[]).map(({name}) => name)).toContain('Ward Workstations')
		expect(clinical.at('data', 'exclusion_sets')).toHaveLength(2)
		const phone = (await bench.get('/v1/policies?product=ios')).first
		expect((await bench.get(`/v1/policies/${String(phone['guid'])}`)).at('data')).not.toHaveProperty('exclusion_sets')
	})
})
