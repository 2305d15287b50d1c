import {type AppWorld, firstListing, startWorld} from '#gateway/instances/testing/app.ts'

const connection = 'sandbox'

let {app} = {} as AppWorld
let client: AppWorld['client']['directory']

beforeEach(async () => {
	const world = await startWorld({computers: 100, seed: 'directory'})
	;({app} = world)
	client = world.client.directory
	await firstListing(app)
	return world.stop
})

test('each screen gets what it asks for', async () => {
	expect(await client.refresh({connection, details: true})).toMatchObject({phase: 'complete'})
	const {state, groups} = await client.groups.tree({connection})
	expect(state).toEqual(await client.state({connection}))
	expect(groups).toHaveLength(44)
	const {policies} = await client.policies.list({connection})
	const [policy] = policies
	const about = {connection, guid: policy?.guid ?? ''}
	expect(await client.policies.detail(about)).toMatchObject({row: policy, serials: [{serial: policy?.serial}]})
	expect((await client.policies.refreshOne(about))?.row.guid).toBe(policy?.guid)
	expect((await client.policies.xml(about)).text).toMatch(/^<\?xml /)
	const {lists} = await client.fileLists.list({connection})
	const list = {connection, guid: lists.find(({name}) => name === 'Linux miners')?.guid ?? ''}
	expect(await client.fileLists.refreshItems(list)).toMatchObject({items: 21})
	const {rows, matching} = await client.fileLists.items({...list, offset: 20, limit: 5})
	expect([rows.length, matching]).toEqual([1, 21])
	expect(await client.fileLists.coverage(list)).toMatchObject({computers: 100})
	expect(await client.fileLists.holding({connection, sha256: rows[0]?.sha256 ?? ''})).toMatchObject([{list: {guid: list.guid}, item: rows[0]}])
	const group = groups.find(({name}) => name === 'Wards')?.guid ?? ''
	expect(await client.groups.refreshOne({connection, guid: group})).toMatchObject({name: 'Wards'})
	expect(await client.groups.preview({connection, guid: group, policies: {}})).toMatchObject({calls: 0})
})

test('a missing object or a wrong question is refused in words', async () => {
	const guid = '00000000-0000-4000-8000-000000000000'
	const refused = (code: string) => ({code: 'CORDON', data: {code}})
	await expect(client.fileLists.coverage({connection, guid})).rejects.toMatchObject(refused('not_found'))
	await expect(client.policies.xml({connection, guid: '../x'})).rejects.toMatchObject(refused('invalid_argument'))
	await expect(client.groups.tree({connection: 'nobody'})).rejects.toMatchObject(refused('unknown_connection'))
	expect(await client.policies.detail({connection, guid})).toBeNull()
	expect(await client.groups.refreshOne({connection, guid})).toBeNull()
})
