import {expectRefused} from '#base/testing/code-of.ts'
import {startSandbox, type Sandbox} from '#sandbox/server.ts'

import {until} from '#base/testing/until.ts'
import {getActivity, getComputer, getComputers, getTrajectory, moveComputer} from './endpoints/computers.ts'
import {getEvents, getEventTypes} from './endpoints/events.ts'
import {addFileListItem, getFileList, getFileListFiles, getFileListItem, getFileLists, removeFileListItem} from './endpoints/file-lists.ts'
import {getGroup, getGroups, setGroupPolicies} from './endpoints/groups.ts'
import {deleteIsolation, getIsolation, getIsolationMethods, putIsolation} from './endpoints/isolation.ts'
import {getPolicies, getPolicy} from './endpoints/policies.ts'
import {getVersion} from './endpoints/service.ts'
import {testClient} from './testing/client.ts'
import {testClock} from './testing/clock.ts'
import type {ApiClient, ApiRequest} from './types.ts'
import {issueWriteToken} from './write-token.ts'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'
const upper = guid.toUpperCase()
const hash = 'AB'.repeat(32)
const low = hash.toLowerCase()

/** Remembers what it is asked for and answers with an empty success. */
function recorder(data: unknown = []): ApiClient & {requests: ApiRequest[]} {
	const requests: ApiRequest[] = []
	return {
		requests,
		call: async request => {
			requests.push(request)
			return {status: 200, body: {version: 'v1.2.0', data}, allow: [], requestId: 'r1', durationMs: 1, at: 1}
		},
		quota: () => null,
		link: () => ({kind: 'untried'}),
		clockSkewMs: () => null,
		onChange: () => () => {},
		stop: async () => {}
	}
}

function guids(listing: {records: readonly {connector_guid: string}[]}) {
	return listing.records.map(record => record.connector_guid)
}

/** An endpoint; its arguments are those of the row. */
type Call = (client: ApiClient, args: never, options: object) => Promise<unknown>

async function requestOf(call: Call, args: object) {
	const client = recorder()
	await call(client, args as never, {}).catch(() => {})
	return client.requests[0]
}

test('a service that gives more than a page has loses none of it', async () => {
	const data = Array.from({length: 700}, (_, index) => ({connector_guid: `${guid}${index}`, hostname: 'A'}))
	const {records, complete} = await getComputers(recorder(data), {}, {all: true})
	expect([records.length, complete]).toEqual([700, true])
})

/** Of `METHOD path?name=value&name=value`; without a `?` it has no query. */
function requestIn(line: string) {
	const [, method, path = '', query] = /^(\S+) ([^?]*)(?:\?(.*))?$/.exec(line) ?? []
	const pairs = query?.split('&').filter(pair => pair !== '')
	return {method, path: path.split('/'), ...(pairs && {query: pairs.map(pair => pair.split('='))})}
}

describe('requests', () => {
	const cases: readonly (readonly [name: string, call: Call, args: object, line: string, body?: object])[] = [
		[
			'computers with every filter',
			getComputers,
			{limit: 10, hostname: ['FIN-', 'a b'], internal_ip: '10.1.2.3', external_ip: '192.0.2.1', group_guid: [upper]},
			`GET computers?hostname[]=FIN-&hostname[]=a b&internal_ip=10.1.2.3&external_ip=192.0.2.1&group_guid[]=${guid}&limit=10`
		],
		['computers without anything', getComputers, {}, 'GET computers?'],
		['one computer', getComputer, {connector_guid: upper}, `GET computers/${guid}`],
		[
			'a trajectory, whose limit goes out as it is',
			getTrajectory,
			{connector_guid: guid, q: '203.0.113.7', limit: 5000},
			`GET computers/${guid}/trajectory?q=203.0.113.7&limit=5000`
		],
		['a move', moveComputer, {connector_guid: guid, group_guid: upper}, `PATCH computers/${guid}`, {group_guid: guid}],
		['activity', getActivity, {q: 'x.exe', limit: 5, offset: 7}, 'GET computers/activity?q=x.exe&limit=5&offset=7'],
		[
			'events with every filter',
			getEvents,
			{
				connector_guid: [guid],
				group_guid: [guid],
				detection_sha256: hash,
				application_sha256: hash,
				event_type: [1_090_519_054, 1],
				start_date: '2026-01-01T00:00:00+00:00'
			},
			`GET events?connector_guid[]=${guid}&group_guid[]=${guid}&detection_sha256=${low}&application_sha256=${low}&event_type[]=1090519054&event_type[]=1&start_date=2026-01-01T00:00:00+00:00`
		],
		['event types', getEventTypes, {}, 'GET event_types'],
		[
			'lists by name',
			(client, args) => getFileLists(client, 'application_blocking', args),
			{name: ['a,b', 'c']},
			'GET file_lists/application_blocking?name[]=a,b&name[]=c'
		],
		['one list', getFileList, {file_list_guid: guid}, `GET file_lists/${guid}`],
		['hashes', getFileListFiles, {file_list_guid: guid, limit: 3}, `GET file_lists/${guid}/files?limit=3`],
		['one hash, in lower case', getFileListItem, {file_list_guid: guid, sha256: hash}, `GET file_lists/${guid}/files/${low}`],
		[
			'adding a hash',
			addFileListItem,
			{file_list_guid: guid, sha256: hash, description: 'x'},
			`POST file_lists/${guid}/files/${low}`,
			{description: 'x'}
		],
		['adding a hash without a note', addFileListItem, {file_list_guid: guid, sha256: hash}, `POST file_lists/${guid}/files/${low}`],
		['removing a hash', removeFileListItem, {file_list_guid: guid, sha256: hash}, `DELETE file_lists/${guid}/files/${low}`],
		['groups with one plain name', getGroups, {name: 'Audit'}, 'GET groups?name=Audit'],
		['one group', getGroup, {group_guid: guid}, `GET groups/${guid}`],
		['policies of a group', setGroupPolicies, {group_guid: guid, mac_policy_guid: upper}, `PATCH groups/${guid}`, {mac_policy_guid: guid}],
		['policies', getPolicies, {name: ['a,b'], product: ['windows', 'mac']}, 'GET policies?name[]=a,b&product[]=windows&product[]=mac'],
		['one policy', getPolicy, {policy_guid: guid}, `GET policies/${guid}`],
		['the version', getVersion, {}, 'GET version'],
		['an isolation state', getIsolation, {connector_guid: guid}, `GET computers/${guid}/isolation`],
		['allowed methods', getIsolationMethods, {connector_guid: guid}, `OPTIONS computers/${guid}/isolation`],
		['isolating with nothing', putIsolation, {connector_guid: guid}, `PUT computers/${guid}/isolation`],
		[
			'isolating with everything',
			putIsolation,
			{connector_guid: guid, unlock_code: 'abc123', comment: 'why'},
			`PUT computers/${guid}/isolation`,
			{unlock_code: 'abc123', comment: 'why'}
		],
		['releasing', deleteIsolation, {connector_guid: guid, comment: 'clean'}, `DELETE computers/${guid}/isolation`, {comment: 'clean'}],
		['releasing without a comment', deleteIsolation, {connector_guid: guid}, `DELETE computers/${guid}/isolation`]
	]
	for (const [name, call, args, line, body] of cases)
		test(`${name} goes out as written`, async () => expect(await requestOf(call, args)).toEqual({...requestIn(line), ...(body && {body})}))
})

describe('arguments are checked before anything is sent', () => {
	const cases: readonly (readonly [field: string, call: Call, args: object])[] = [
		['limit', getComputers, {limit: 0}],
		['limit', getComputers, {limit: 1.5}],
		['limit', getTrajectory, {connector_guid: guid, limit: 5001}],
		['offset', getActivity, {q: 'x', offset: -1}],
		['q', getActivity, {q: ''}],
		['hostname', getComputers, {hostname: ['a', '']}],
		['hostname', getComputers, {hostname: ['\ud800']}],
		['internal_ip', getComputers, {internal_ip: '10.0.0.0/8'}],
		['external_ip', getComputers, {external_ip: '::1'}],
		['group_guid', getComputers, {group_guid: ['../../policies']}],
		['connector_guid', getComputer, {connector_guid: `${guid}/isolation`}],
		['group_guid', moveComputer, {connector_guid: guid, group_guid: 'x'}],
		['event_type', getEvents, {event_type: [-1]}],
		['event_type', getEvents, {event_type: ['x']}],
		['detection_sha256', getEvents, {detection_sha256: 'abc'}],
		['start_date', getEvents, {start_date: 'yesterday'}],
		['sha256', addFileListItem, {file_list_guid: guid, sha256: 'x'.repeat(64)}],
		['file_list_guid', getFileListFiles, {file_list_guid: '..'}],
		['product', getPolicies, {product: ['dos']}],
		['linux_policy_guid', setGroupPolicies, {group_guid: guid, linux_policy_guid: 'x'}],
		['windows_policy_guid', setGroupPolicies, {group_guid: guid}],
		['unlock_code', putIsolation, {connector_guid: guid, unlock_code: 'a'.repeat(25)}],
		['unlock_code', putIsolation, {connector_guid: guid, unlock_code: 'a b'}]
	]
	test.each(cases)('%s', async (field, call, args) => {
		const client = recorder()
		const error: unknown = await call(client, args as never, {}).then(
			() => {},
			(thrown: unknown) => thrown
		)
		expect(error).toMatchObject({code: 'invalid_argument', details: {field}})
		expect(error).toHaveProperty('message', expect.stringContaining(field))
		expect(client.requests).toEqual([])
	})

	test('an unlock code is not repeated in the error', async () => {
		const act = putIsolation(recorder(), {connector_guid: guid, unlock_code: 'se cret'}, {})
		await expect(act).rejects.not.toHaveProperty('message', expect.stringContaining('cret'))
	})
})

describe('answers of another form', () => {
	test('name what is wrong with a reading', async () => {
		await expectRefused(getComputers(recorder([{hostname: 'x'}]), {}), 'unexpected_shape', 'data.0.connector_guid', {
			status: 200,
			requestId: 'r1'
		})
		await expectRefused(getFileListFiles(recorder([]), {file_list_guid: guid}), 'unexpected_shape')
	})

	test('leave the outcome of a change unknown', async () => {
		await expect(putIsolation(recorder({status: 7}), {connector_guid: guid}, {})).rejects.toMatchObject({
			code: 'outcome_unknown',
			cause: {code: 'unexpected_shape'}
		})
	})

	test('a malformed version is no version', async () => {
		const client: ApiClient = {
			...recorder(),
			call: async () => ({status: 200, body: {version: null}, allow: [], requestId: undefined, durationMs: 1, at: 1})
		}
		await expectRefused(getVersion(client), 'unexpected_shape')
	})
})

describe('against the sandbox', () => {
	let sandbox: Sandbox
	let client: ApiClient
	const write = () => ({token: issueWriteToken('intent', 'test')})

	beforeAll(async () => {
		sandbox = await startSandbox({port: 0, computers: 1300, seed: 'endpoints', agentDelayMs: 1})
		const {url, clientId, apiKey} = sandbox
		client = testClient(url, {clientId, apiKey: async () => apiKey, clock: testClock({eager: true})})
	})

	afterAll(async () => {
		await client.stop()
		await sandbox.stop()
	})

	test('the version begins with v1', async () => {
		expect((await getVersion(client)).data.version).toMatch(/^v1/)
	})

	test('all computers are walked, exactly 700 of them, or only the missing ones', async () => {
		const all = await getComputers(client, {}, {all: true})
		expect(all).toMatchObject({total: 1300, complete: true, missing: [], pagesRead: 3})
		expect(new Set(all.records.map(record => record.connector_guid)).size).toBe(1300)
		const some = await getComputers(client, {limit: 700})
		expect(guids(some)).toEqual(guids(all).slice(0, 700))
		const last = await getComputers(client, {}, {offsets: [1000]})
		expect(guids(last)).toEqual(guids(all).slice(1000))
	})

	test('a page that fails is missing and the others are there', async () => {
		sandbox.weather.set([{method: 'GET', path: '/v1/computers?*offset=500*', effect: {kind: 'reset'}}])
		const listing = await getComputers(client, {}, {all: true}).finally(() => sandbox.weather.clear())
		expect(listing).toMatchObject({missing: [500], complete: false, error: {code: 'reset'}})
		expect(listing.records).toHaveLength(800)
	})

	test('one computer, its trajectory, and the activity that leads to it', async () => {
		const [first] = (await getComputers(client, {limit: 1})).records
		const id = first?.connector_guid ?? ''
		expect((await getComputer(client, {connector_guid: id})).data.hostname).toBe(first?.hostname)
		expect((await getTrajectory(client, {connector_guid: id, limit: 3})).data.computer.connector_guid).toBe(id)
		expect(await getActivity(client, {q: 'no-such-file.exe'})).toMatchObject({total: 0, records: []})
	})

	test('events keep their ids of 19 digits', async () => {
		const events = await getEvents(client, {limit: 50})
		expect(events.records.filter(event => typeof event.id === 'bigint').length).toBeGreaterThan(0)
		expect((await getEventTypes(client)).data.length).toBeGreaterThan(50)
	})

	test('groups, policies and a move', async () => {
		const groups = await getGroups(client, {}, {all: true})
		const [group] = groups.records
		expect((await getGroup(client, {group_guid: group?.guid ?? ''})).data.policies?.length).toBeGreaterThan(0)
		const policies = await getPolicies(client, {product: ['windows']})
		expect(policies.records.every(policy => policy.product === 'windows')).toBe(true)
		expect((await getPolicy(client, {policy_guid: policies.records[0]?.guid ?? ''})).data.name).toBe(policies.records[0]?.name)
		const computer = (await getComputers(client, {limit: 1})).records[0]?.connector_guid ?? ''
		const target = groups.records.at(-1)?.guid ?? ''
		const moved = await moveComputer(client, {connector_guid: computer, group_guid: target}, write())
		expect([moved.status, moved.data.group_guid]).toEqual([202, target])
		const change = {group_guid: target, windows_policy_guid: policies.records[0]?.guid}
		expect((await setGroupPolicies(client, change, write())).data.guid).toBe(target)
	})

	test('a hash is added, found in lower case, refused a second time and removed', async () => {
		const [list] = (await getFileLists(client, 'simple_custom_detections', {})).records
		const item = {file_list_guid: list?.guid ?? '', sha256: hash}
		expect((await getFileList(client, item)).data.name).toBe(list?.name)
		expect((await addFileListItem(client, {...item, description: 'dropper'}, write())).status).toBe(201)
		expect((await getFileListItem(client, item)).data).toMatchObject({sha256: low, description: 'dropper'})
		await expectRefused(addFileListItem(client, item, write()), 'conflict', 'already on the list')
		const files = await getFileListFiles(client, item)
		expect([files.list?.guid, files.records.some(record => record.sha256 === low)]).toEqual([list?.guid, true])
		expect((await removeFileListItem(client, item, write())).data).toBeNull()
		await expectRefused(removeFileListItem(client, item, write()), 'not_found')
	})

	test('a computer is isolated, refused a second time and released', async () => {
		const {records} = await getComputers(client, {}, {all: true})
		const free = records.filter(each => each.isolation?.available === true && each.isolation.status === 'not_isolated')
		// The one that was seen last is switched on, so that its agent answers.
		const [newest] = free.toSorted((one, other) => (other.last_seen ?? '').localeCompare(one.last_seen ?? ''))
		const target = {connector_guid: newest?.connector_guid ?? ''}
		expect((await getIsolationMethods(client, target)).data).toContain('PUT')
		const started = await putIsolation(client, {...target, comment: 'test'}, write())
		expect(started.data).toMatchObject({status: 'pending_start', comment: 'test', unlock_code: expect.any(String)})
		await expectRefused(putIsolation(client, target, write()), 'conflict', '', {status: 409})
		const becomes = (status: string) => until(status, async () => (await getIsolation(client, target)).data.status === status)
		await becomes('isolated')
		await deleteIsolation(client, {...target, comment: 'clean'}, {...write(), purpose: 'release'})
		await becomes('not_isolated')
		await expectRefused(deleteIsolation(client, target, write()), 'conflict', 'not isolated')
	})

	test('isolation forbidden by the policy says so', async () => {
		const {records} = await getComputers(client, {}, {all: true})
		const id = records.find(each => each.isolation?.available === false)?.connector_guid ?? ''
		await expectRefused(getIsolationMethods(client, {connector_guid: id}), 'isolation_not_allowed')
	})

	test('a key that may only read is refused every change', async () => {
		const reader = testClient(sandbox.url, {clientId: sandbox.readOnlyClientId, apiKey: async () => sandbox.readOnlyApiKey})
		const [first] = (await getComputers(reader, {limit: 1})).records
		await expectRefused(putIsolation(reader, {connector_guid: first?.connector_guid ?? ''}, write()), 'forbidden')
		await reader.stop()
	})

	test('a wrong key is refused', async () => {
		const stranger = testClient(sandbox.url, {clientId: sandbox.clientId})
		await expectRefused(getVersion(stranger), 'unauthorized', '', {status: 401, service: 'Unknown API key or Client ID'})
		await stranger.stop()
	})
})
