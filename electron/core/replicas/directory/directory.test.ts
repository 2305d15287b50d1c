import {rmSync, writeFileSync} from 'node:fs'

import type {Host} from '#sandbox/tenant/host.ts'
import {until} from '#base/testing/until.ts'
import {directorySource, type DirectorySource} from './source.ts'
import {makeWorld, named, type World} from './testing/world.ts'
import type {Directory} from './directory.ts'

let world: World
let directory: Directory

beforeEach(async () => {
	world = await makeWorld({computers: 400, seed: 'directory'})
	await world.inventory.refresh()
	world.sandbox.clearRequests()
	directory = world.open()
})

afterEach(() => world.close())

const weather = (lines: readonly string[]) => world.sandbox.weather.set(lines)
const calm = () => world.sandbox.weather.clear()
const whole = () => directory.refresh({details: true})
const brief = () => directory.refresh({details: false})
const lacking = () => directory.refresh({details: 'lacking'})

const group = (name: string) => named(directory.tree().groups, name)
const list = (name: string) => named(directory.fileLists().lists, name)

function policy(name: string, product: string) {
	const {policies} = directory.policies()
	return named(
		policies.filter(row => row.product === product),
		name
	)
}

function slow(onGroup: (count: number) => void = () => {}): DirectorySource {
	const source = directorySource(world.client)
	let count = 0
	return {
		...source,
		group: async (guid, signal) => {
			count += 1
			onGroup(count)
			await world.clock.advance(250)
			return source.group(guid, signal)
		}
	}
}

/** The policy that a computer of the sandbox has. */
function inForceOn(host: Host) {
	const {fleet, directory: groups} = world.sandbox.world
	return groups.policy(fleet.group(host), host.platform).policy
}

/** Counts in the sandbox itself, not in a local copy. */
function hosts(where: (group: string, path: readonly string[]) => boolean) {
	const {fleet, tenant, directory: groups} = world.sandbox.world
	const name = (index: number) => tenant.groups[index]?.name ?? ''
	return fleet.hosts().filter(host => where(name(fleet.group(host)), groups.ancestry(fleet.group(host)).map(name))).length
}

describe('reading', () => {
	test('before loading there are only the groups that computers name', () => {
		expect(directory.state()).toEqual({
			...{phase: 'empty', readAt: null, details: {read: 0, of: 0}, error: null, revision: 0},
			...{refreshCalls: null, detailCalls: null, lackingCalls: 0}
		})
		expect(directory.tree().groups.reduce((sum, {computers}) => sum + computers, 0)).toBe(400)
		expect(directory.fileLists().lists).toEqual([])
	})

	test('the listings take four calls, and show their cost and that of the details', async () => {
		const state = await brief()
		expect(state).toMatchObject({phase: 'complete', error: null, refreshCalls: 4, detailCalls: 44 + 17 + 12})
		expect(state.details).toEqual({read: 0, of: 73})
		expect(world.asked()).toEqual([
			'/v1/groups',
			'/v1/policies',
			'/v1/file_lists/application_blocking',
			'/v1/file_lists/simple_custom_detections'
		])
		expect(group('Finance').policies).toBeNull()
		expect(policy('Server', 'windows')).toMatchObject({groups: null, fileLists: null, serial: expect.any(Number)})
		expect(list('Known bad files')).toMatchObject({items: null, policies: null, covered: null})
	})

	test('details are one call each, announced as they arrive', async () => {
		directory = world.open({source: slow()})
		const told: string[] = []
		directory.onChange(() => told.push(Object.values(directory.state().details).join('/')))
		const state = await whole()
		expect(state).toMatchObject({phase: 'complete', details: {read: 75, of: 75}})
		expect(world.asked()).toHaveLength(4 + 75)
		expect(told).toContain('34/73')
		expect(group('Ward Workstations').policies).toContainEqual(
			expect.objectContaining({name: 'Clinical Workstations', product: 'windows', inherited: true})
		)
		expect(policy('Server', 'windows').groups?.map(({name}) => name)).toContain('PACS')
		expect(list('Known bad files')).toMatchObject({items: 720, itemsRead: {read: 0, of: 720, at: null}})
		expect(list('Known bad files').policies?.length).toBe(13)
	})
})

describe('what can go wrong', () => {
	test('a listing that fails keeps the others, and says so', async () => {
		weather(['GET /v1/policies*=status:500'])
		const state = await brief()
		expect(state).toMatchObject({phase: 'partial', error: {code: 'service_error', status: 500}, lackingCalls: 0})
		expect(directory.tree().groups).toHaveLength(44)
		expect(directory.policies().policies).toEqual([])
		calm()
		expect(await brief()).toMatchObject({phase: 'complete', error: null})
	})

	test('which kinds of file lists were never listed to the end is told, whatever else failed', async () => {
		weather(['GET /v1/policies*=status:500', 'GET /v1/file_lists/application_blocking*=status:500'])
		expect(await brief()).toMatchObject({phase: 'partial'})
		expect(directory.fileLists().unlisted).toEqual(['application_blocking'])
		weather(['GET /v1/policies*=status:500'])
		expect(await brief()).toMatchObject({phase: 'partial'})
		expect(directory.fileLists().unlisted).toEqual([])
	})

	test('with the service down the reading fails, and known data stays', async () => {
		await whole()
		const before = directory.tree().groups
		weather(['* *=status:500'])
		expect(await whole()).toMatchObject({
			...{phase: 'failed', error: {code: 'service_error'}, details: {read: 75, of: 75}},
			readAt: expect.any(String)
		})
		expect(directory.tree().groups).toEqual(before)
	})

	test('a refused policy is marked in its row, and everything else is loaded', async () => {
		await brief()
		const {guid} = policy('Server', 'windows')
		weather([`GET /v1/policies/${guid}=status:403`])
		const state = await whole()
		expect(state).toMatchObject({phase: 'partial', error: {code: 'forbidden'}})
		expect(state.details.of - state.details.read).toBe(1)
		expect(policy('Server', 'windows')).toMatchObject({problem: {code: 'forbidden'}, fileLists: null})
		expect(policy('Protect', 'windows').problem).toBeNull()
		calm()
		await directory.refreshPolicy(guid)
		expect(policy('Server', 'windows')).toMatchObject({problem: null, fileLists: expect.any(Array)})
		expect(directory.state().phase).toBe('complete')
	})

	test('a retry loads only what failed, and shows its cost', async () => {
		await brief()
		const {guid} = policy('Server', 'windows')
		weather([`GET /v1/policies/${guid}=status:403`, 'GET /v1/groups?*=status:500'])
		expect(await whole()).toMatchObject({phase: 'partial', lackingCalls: 1})
		calm()
		world.sandbox.clearRequests()
		const state = await lacking()
		expect(state).toMatchObject({phase: 'complete', error: null, lackingCalls: 0})
		const again = world.asked().filter(path => /^\/v1\/(groups|policies)\//.test(path))
		expect(again).toEqual([`/v1/policies/${guid}`])
	})

	test('details are given up after three failures in a row, and continue where they stopped', async () => {
		weather(['GET /v1/groups/*=status:500,after:20'])
		const state = await whole()
		const {read, of} = state.details
		expect(state).toMatchObject({phase: 'partial', error: {code: 'service_error'}, lackingCalls: of - read})
		expect(read).toBeGreaterThanOrEqual(20)
		expect(read).toBeLessThan(30)
		calm()
		world.sandbox.clearRequests()
		expect(await lacking()).toMatchObject({phase: 'complete', error: null, lackingCalls: 0})
		expect(world.asked()).toHaveLength(4 + 75 - read)
	})

	test('a used-up API limit is waited for a minute, not an hour', async () => {
		weather(['GET /v1/groups/*=429:1800,after:20'])
		const state = await whole()
		expect(state).toMatchObject({phase: 'partial', error: {code: 'rate_limited', retryAt: expect.any(String)}})
		expect(state.details.read).toBeGreaterThanOrEqual(20)
		expect(group('Audit').name).toBe('Audit')
	})

	test('a stop keeps what was loaded, and the next reading continues', async () => {
		const stop = new AbortController()
		directory = world.open({source: slow(count => void (count === 30 && stop.abort()))})
		await expect(directory.refresh({details: true}, stop.signal)).rejects.toMatchObject({code: 'cancelled'})
		await until('the end', () => directory.state().phase !== 'loading')
		expect(directory.state()).toMatchObject({phase: 'complete', error: null})
		expect(directory.state().details.read).toBeGreaterThanOrEqual(25)
		expect(directory.state().details.read).toBeLessThan(35)
		world.sandbox.clearRequests()
		expect(await whole()).toMatchObject({phase: 'complete', details: {read: 75}})
		expect(world.asked().length).toBeLessThan(4 + 75 - 20)
	})

	test('two that ask at once wait for one reading', async () => {
		const [one, other] = await Promise.all([whole(), whole()])
		expect(one).toEqual(other)
		expect(world.asked()).toHaveLength(4 + 75)
	})

	test('a retry while the rest still loads loads the failed part too', async () => {
		weather(['GET /v1/groups*=status:500', 'GET /v1/file_lists/simple*=latency:300'])
		const first = brief()
		await expect.poll(() => directory.state().error?.status).toBe(500)
		expect(directory.state().phase).toBe('loading')
		weather(['GET /v1/file_lists/simple*=latency:300'])
		expect(await brief()).toMatchObject({phase: 'complete', error: null})
		await first
		expect(directory.tree().groups).toHaveLength(44)
	})

	test('a group deleted elsewhere is marked, and its last values stay', async () => {
		await whole()
		const {guid} = group('Pharmacy')
		weather([`GET /v1/groups/${guid}=status:404`])
		expect(await directory.refreshGroup(guid)).toMatchObject({name: 'Pharmacy', vanishedAt: expect.any(String)})
		expect(group('Pharmacy').policies).not.toBeNull()
		calm()
		await brief()
		expect(group('Pharmacy').vanishedAt).toBeNull()
	})

	test('after the clock was set back, what was read before is old', async () => {
		await whole()
		await world.clock.advance(-3_600_000)
		const before = world.asked().length
		directory.look()
		expect(await until('it is read again', () => world.asked().length > before)).toBe(true)
	})

	test('what a whole listing lacks is gone; a partial listing proves nothing', async () => {
		await whole()
		const {tenant} = world.sandbox.world
		const [gone] = (tenant.lists as (typeof tenant.lists)[number][]).splice(5, 1)
		weather(['GET /v1/file_lists/simple_custom_detections*=malformed'])
		await brief()
		expect(list(gone?.name ?? '').vanishedAt).toBeNull()
		calm()
		await brief()
		expect(list(gone?.name ?? '')).toMatchObject({vanishedAt: expect.any(String), items: 9})
		expect(list('Clinical exceptions').vanishedAt).toBeNull()
	})
})

describe('what follows from it', () => {
	beforeEach(async () => void (await whole()))

	test('the tree has parents before children, and counts that add up', () => {
		const {groups} = directory.tree()
		const place = new Map(groups.map(({guid}, index) => [guid, index]))
		for (const [index, node] of groups.entries()) {
			if (node.parent !== null) expect(place.get(node.parent)).toBeLessThan(index)
		}
		expect(group('Hospital').below.computers).toBe(hosts((name, path) => name === 'Hospital' || path.includes('Hospital')))
		expect(group('Wards').computers).toBe(hosts(name => name === 'Wards'))
		const roots = groups.filter(({parent}) => parent === null)
		expect(roots.reduce((sum, {below}) => sum + below.computers, 0)).toBe(400)
		expect(group('Hospital').children).toEqual(['Doctors', 'Laboratory', 'Pharmacy', 'Radiology', 'Wards'].map(name => group(name).guid))
	})

	test('a policy counts the computers that name it', () => {
		const named = world.sandbox.world.fleet.hosts().map(inForceOn)
		const expected = named.filter(({name, product}) => name === 'Server' && product === 'windows').length
		expect(expected).toBeGreaterThan(0)
		expect(policy('Server', 'windows').computers).toBe(expected)
	})

	test.each(['Known bad files', 'Incident 2024-117', 'Unwanted applications', 'Empty blocking list', 'Server exceptions'])(
		'the coverage of %s is what the tenant adds up to, and every filter shows its part',
		name => {
			const {fleet, tenant} = world.sandbox.world
			const coverage = directory.coverage(list(name).guid)
			const type = tenant.lists.find(seed => seed.name === name)?.type
			const counts: Record<string, number> = {}
			for (const host of fleet.hosts()) {
				const used = tenant.lists.filter(seed => inForceOn(host).lists.includes(seed.name))
				const phone = ['ios', 'android'].includes(host.platform)
				const kind = used.some(seed => seed.name === name)
					? 'enforced'
					: used.some(seed => seed.type === type)
						? 'other_list'
						: phone
							? 'product_without_list'
							: 'no_list'
				counts[kind] = (counts[kind] ?? 0) + 1
			}
			expect(Object.fromEntries(coverage.parts.map(part => [part.kind, part.computers]))).toEqual({enforced: 0, ...counts})
			expect(coverage).toMatchObject({computers: 400, enforced: counts['enforced'] ?? 0, uncertain: null})
			expect(list(name).covered).toBe(counts['enforced'] ?? 0)
			expect(coverage.ways.reduce((sum, {computers}) => sum + computers, 0)).toBe(counts['enforced'] ?? 0)
			for (const part of coverage.parts) {
				const query = {sort: {column: 'hostname', descending: false}, offset: 0, limit: 1} as const
				if (part.filter === null) expect(part.computers).toBe(0)
				else expect(world.inventory.query({...query, filter: part.filter}).matching).toBe(part.computers)
			}
		}
	)

	test('the policy as XML is text, and a refusal is reported', async () => {
		const {guid} = policy('Domain Controller', 'windows')
		expect((await directory.xml(guid)).text).toContain('<name>Domain Controller</name>')
		weather(['GET /v1/policies/*.xml=status:403,times:1', 'GET /v1/policies/*.xml=html:200,times:2'])
		await expect(directory.xml(guid)).rejects.toMatchObject({code: 'forbidden'})
		await expect(directory.xml(guid)).rejects.toMatchObject({code: 'unexpected_shape'})
		calm()
		await expect(directory.xml('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({code: 'not_found'})
	})

	test('a preview refuses a policy of another product, and one that does not exist', async () => {
		const {guid} = group('Hospital')
		const mac = policy('Triage', 'mac').guid
		await expect(directory.preview(guid, {windows: mac})).rejects.toMatchObject({code: 'invalid_argument'})
		const nobody = '00000000-0000-4000-8000-000000000000'
		await expect(directory.preview(guid, {windows: nobody})).rejects.toMatchObject({code: 'not_found'})
		await expect(directory.preview(nobody, {})).rejects.toMatchObject({code: 'not_found'})
	})

	test('a preview names what changes for which computers', async () => {
		const before = policy('Clinical Workstations', 'windows')
		const after = policy('Triage', 'windows')
		world.sandbox.clearRequests()
		const preview = await directory.preview(group('Hospital').guid, {windows: after.guid})
		expect(world.asked()).toEqual([])
		const reached = world.sandbox.world.fleet
			.hosts()
			.filter(host => host.platform === 'windows' && inForceOn(host).name === 'Clinical Workstations').length
		expect(reached).toBeGreaterThan(0)
		expect(preview).toMatchObject({group: {name: 'Hospital'}, computers: reached, calls: 1})
		expect(preview.products.find(({product}) => product === 'windows')).toEqual({
			product: 'windows',
			before: {guid: before.guid, name: before.name},
			after: {guid: after.guid, name: after.name},
			listsGained: inOrder(after, 'Unwanted applications', 'Threat feed import'),
			listsLost: inOrder(before, 'Clinical exceptions', 'Browsers not approved'),
			computers: reached
		})
	})
})

function inOrder({fileLists}: {fileLists: readonly {guid: string}[] | null}, ...names: string[]) {
	const place = (wanted: string) => (fileLists ?? []).findIndex(({guid}) => guid === wanted)
	const lists = names.map(list).map(({guid, name}) => ({guid, name}))
	return lists.toSorted((a, b) => place(a.guid) - place(b.guid))
}

describe('the file', () => {
	test('after a restart stored data is there at once, with its age', async () => {
		await whole()
		const [state, tree, policies] = [directory.state(), directory.tree(), directory.policies()]
		await directory.stop()
		await world.clock.advance(3_600_000)
		world.sandbox.clearRequests()
		directory = world.open()
		expect(directory.state()).toEqual(state)
		expect([directory.tree().groups, directory.policies().policies]).toEqual([tree.groups, policies.policies])
		expect(world.asked()).toEqual([])
	})

	test('a damaged file is made anew', async () => {
		await brief()
		await directory.stop()
		for (const end of ['-wal', '-shm']) rmSync(world.path + end, {force: true})
		writeFileSync(world.path, 'this is no database, however long it may be '.repeat(500))
		directory = world.open()
		expect(directory.state().phase).toBe('empty')
		expect(await brief()).toMatchObject({phase: 'complete'})
	})

	test.each([1, -60])('serial numbers are kept with the times of their changes, the clock %i minutes on', async minutes => {
		await whole()
		const {guid, serial} = policy('Legacy Windows', 'windows')
		await world.clock.advance(minutes * 60_000)
		world.sandbox.world.directory.listChanged('Known bad files')
		await brief()
		expect(directory.state().details.read).toBeLessThan(75)
		await whole()
		const {serials, record} = directory.policy(guid) ?? {serials: []}
		expect(serials.map(seen => seen.serial)).toEqual([(serial ?? 0) + 1, serial])
		expect(record).toMatchObject({serial_number: (serial ?? 0) + 1, used_in_groups: expect.any(Array)})
	})
})
