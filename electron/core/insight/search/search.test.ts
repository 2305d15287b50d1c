import type {ActivityNews, SearchGroup, SearchResults} from '#contract/search.ts'

import {type AppWorld, startWorld} from '#gateway/instances/testing/app.ts'

let {sandbox, client} = {} as AppWorld
const on = {connection: 'sandbox'}

beforeAll(async () => {
	const world = await startWorld({computers: 700, seed: 'search'})
	;({sandbox, client} = world)
	await client.computers.refresh(on)
	await client.events.refresh(on)
	await client.directory.refresh({...on, details: true})
	return world.stop
})

const indicators = () => sandbox.world.tenant.story.indicators
const search = (text: string) => client.search.local({...on, text})
const group = ({groups}: SearchResults, kind: SearchGroup['kind']) => groups.find(each => each.kind === kind)

async function readAll(stream: AsyncIterator<ActivityNews, void>) {
	const news: ActivityNews[] = []
	for (let next = await stream.next(); next.done !== true; next = await stream.next()) news.push(next.value)
	return news
}

/** What the service answers, page by page. */
async function queried(text: string, more: {kind?: 'activity' | 'user'; further?: boolean} = {}) {
	return readAll(await client.search.activity({...on, text, kind: 'activity', ...more}))
}

describe('local results come at once', () => {
	test('a computer by its name, with the nearest name first', async () => {
		const results = await search('"fin-lt-0231"')
		expect(group(results, 'computer')?.hits[0]).toMatchObject({label: 'FIN-LT-0231'})
		expect(group(results, 'event')?.count).toBeGreaterThan(0)
		expect(group(results, 'event')?.open).toBe('/events?filter=fin-lt-0231&span=all')
	})

	test('a hash with its files, its events, and the lists that hold it', async () => {
		const results = await search(indicators().dropper.toUpperCase())
		expect(results.indicator).toMatchObject({kind: 'sha256', value: indicators().dropper})
		expect(group(results, 'hash')?.hits).toMatchObject([{label: indicators().dropper}])
		expect(group(results, 'file')?.hits.map(({label}) => label)).toContain('updchk.exe')
		expect(group(results, 'event')?.count).toBeGreaterThan(1)
		expect(group(results, 'computer')).toBeUndefined()
		expect(results.offers).toEqual([{kind: 'activity', least: 1, most: 2}])
	})

	test('an MD5 or SHA-1 leads to the SHA-256 of the same file', async () => {
		const {rows} = await client.events.query({...on, filter: '-hash:empty', offset: 0, limit: 200})
		const details = await Promise.all(rows.map(({key}) => client.events.detail({...on, key})))
		const pair = details
			.map(detail => /"identity":\s*\{\s*"sha256":\s*"(\w+)",\s*"sha1":\s*"(\w+)",\s*"md5":\s*"(\w+)"/.exec(detail?.json ?? ''))
			.find(match => match !== null)
		const [, sha256 = '', sha1 = '', md5 = ''] = pair ?? []
		expect(sha256).toHaveLength(64)
		for (const other of [sha1, md5]) {
			const results = await search(other)
			expect(group(results, 'hash')?.hits.map(({label}) => label)).toEqual([sha256])
			expect(results.offers).toEqual([])
		}
	})

	test('an address, also a defanged one', async () => {
		const results = await search(indicators().commandServer.replaceAll('.', '[.]'))
		expect(results.indicator).toMatchObject({kind: 'ip', value: indicators().commandServer, wasDefanged: true})
		const [host] = sandbox.world.tenant.hosts
		const internal = await search(host?.ips.at(-1)?.trim() ?? '')
		expect(group(internal, 'computer')?.hits.map(({label}) => label)).toContain(host?.hostname)
		const external = await search(host?.externalIp ?? '')
		expect(external.groups.map(({title}) => title)).toContain('Computers behind this external address')
	})

	test('a user, a file, a group, a policy and a list by parts of their names', async () => {
		const {rows} = await client.events.query({...on, filter: '-user:empty', offset: 0, limit: 1})
		const user = rows[0]?.user ?? ''
		expect(group(await search(user.split('@')[0] ?? ''), 'user')?.hits.map(({label}) => label)).toContain(user)
		expect(group(await search('updchk.exe'), 'file')?.hits[0]?.label).toBe('updchk.exe')
		expect(group(await search('Wards'), 'group')?.hits[0]?.label).toBe('Wards')
		expect(group(await search('Linux miners'), 'file_list')?.hits[0]?.label).toBe('Linux miners')
		const {policies} = await client.directory.policies.list(on)
		const [policy] = policies
		const hits = group(await search(policy?.guid ?? ''), 'policy')?.hits
		expect(hits).toMatchObject([{label: policy?.name}])
	})

	test('an entry of the log, of this tenant', async () => {
		await client.connections.add({name: 'zebra-fish', url: 'https://zebra.test', clientId: 'z', apiKey: 'z'})
		await client.log.note({text: 'Asked the finance team about zebra-fish', about: null, incident: null})
		expect(group(await search('zebra-fish'), 'log')).toMatchObject({count: 1})
	})

	test('and nothing where there is nothing, without asking the service', async () => {
		sandbox.clearRequests()
		expect((await search('no such thing anywhere')).groups).toEqual([])
		expect((await search(' "" ')).indicator).toBeNull()
		expect(sandbox.requests).toEqual([])
	})

	test('unusual characters break nothing', async () => {
		for (const text of ['a:b', '-x', 'not', 'x*y', '"', '\\', 'a"b', '%', "o'neil", 'user:', 'x,y', '()a', 'a=b', '10.'])
			expect((await search(text)).text).toBe(text)
	})
})

describe('the service', () => {
	test('reports page by page who saw it, and who has no local events', async () => {
		const text = 'svchost.exe'
		expect(await client.search.asked({...on, text, kind: 'activity'})).toBeNull()
		sandbox.clearRequests()
		const news = await queried(text)
		const last = news.at(-1)?.facts
		expect(last).toMatchObject({phase: 'complete', calls: news.length, error: null})
		expect(sandbox.requests.filter(({path}) => path.startsWith('/v1/computers/activity'))).toHaveLength(news.length)
		const computers = news.flatMap(({fresh}) => fresh)
		expect(computers).toHaveLength(last?.total ?? -1)
		const told = computers.filter(({silent}) => !silent)
		for (const {guid} of told.slice(0, 3)) {
			const filter = `${last?.eventFilter ?? ''} guid=${guid}`
			expect((await client.events.query({...on, filter, offset: 0, limit: 1})).matching.count).toBeGreaterThan(0)
		}
		expect(computers.filter(({silent}) => silent)).toHaveLength(last?.silent ?? -1)
		expect(last?.silent).toBeGreaterThan(0)
		sandbox.clearRequests()
		expect(await client.search.asked({...on, text, kind: 'activity'})).toMatchObject({...last, computers})
		expect(sandbox.requests).toEqual([])
	})

	test('knows the attack on more computers than local events show', async () => {
		const seen = async (text: string) => (await queried(text)).flatMap(({fresh}) => fresh)
		// Connections to the command server raised no event; the program that made them did.
		const server = await seen(indicators().commandServer)
		expect(server.length).toBeGreaterThan(0)
		expect(server.every(({silent}) => silent)).toBe(true)
		expect((await seen(indicators().dropper)).some(({silent}) => !silent)).toBe(true)
	})

	test('is queried for a user', async () => {
		const user = sandbox.world.tenant.hosts.find(host => host.user !== '')?.user ?? ''
		const news = await queried(user, {kind: 'user'})
		expect(news.at(-1)?.facts.total).toBeGreaterThan(0)
	})

	test('is not queried for what it cannot search', async () => {
		sandbox.clearRequests()
		for (const text of ['10.0.0.0/8', 'd41d8cd98f00b204e9800998ecf8427e'])
			await expect(queried(text)).rejects.toMatchObject({data: {code: 'invalid_argument'}})
		expect(sandbox.requests).toEqual([])
	})

	test('that fails halfway keeps the loaded pages, and a new query continues from there', async () => {
		const question = {...on, text: 'explorer.exe', kind: 'activity'} as const
		sandbox.weather.set(['GET /v1/computers/activity*=status:403,after:1'])
		const news = await queried(question.text)
		expect(news.at(-1)?.facts).toMatchObject({phase: 'partial', read: 500, error: {code: 'forbidden'}, callsLeft: 1})
		sandbox.weather.clear()
		const rest = await queried(question.text, {further: true})
		expect(rest.at(-1)?.facts).toMatchObject({phase: 'complete', error: null})
		const answer = await client.search.asked(question)
		expect(answer?.computers).toHaveLength(answer?.total ?? -1)
	})

	test('is not queried after the operator leaves', async () => {
		const question = {...on, text: 'RuntimeBroker.exe', kind: 'activity'} as const
		const stop = new AbortController()
		const stream = await client.search.activity(question, {signal: stop.signal})
		await stream.next()
		await stream.return?.()
		expect(await client.search.asked(question)).toMatchObject({phase: expect.stringMatching('complete|partial')})
	})
})

test('vulnerable programs are loaded on request, worst first, and kept', async () => {
	const guids = sandbox.world.tenant.hosts.filter(({platform}) => platform === 'windows').map(({guid}) => guid)
	expect(await client.vulnerabilities.stored({...on, guid: guids[0] ?? ''})).toBeNull()
	const answers = await Promise.all(guids.slice(0, 30).map(guid => client.vulnerabilities.read({...on, guid})))
	const found = answers.find(({programs}) => programs.length > 0)
	expect(found?.programs[0]?.cves[0]?.score).toBeGreaterThan(5)
	expect(found?.programs[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
	expect(await client.vulnerabilities.stored({...on, guid: found?.guid ?? ''})).toEqual(found)
})

test("the trajectory of a user does not change the computer's record", async () => {
	const host = sandbox.world.tenant.hosts.find(({hostname}) => hostname === 'FIN-LT-0231')
	const guid = host?.guid ?? ''
	const before = await client.computers.detail({...on, guid})
	const {points} = await client.trajectory.read({...on, guid, query: `user:${host?.user ?? ''}`})
	expect(points.length).toBeGreaterThan(0)
	expect((await client.computers.detail({...on, guid}))?.record).toEqual(before?.record)
})
