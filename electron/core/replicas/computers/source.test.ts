import {join} from 'node:path'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {CordonError} from '#contract/errors.ts'

import {testFolder} from '#base/testing/folder.ts'
import {testClient} from '#core/service/api/testing/client.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import type {Clock} from '#base/ports.ts'
import {systemClock} from '#base/system.ts'
import {openInventory, type Inventory} from './inventory.ts'
import {inventorySource} from './source.ts'

/** Real time without pauses between attempts. */
const hasty: Clock = {...systemClock, sleep: async () => {}}

let sandbox: Sandbox
let client: ApiClient
let inventory: Inventory
let folder: string
/** Offsets of pages that fail. */
const failing = new Set<string>()

beforeEach(async () => {
	failing.clear()
	folder = testFolder()
	sandbox = await startSandbox({port: 0, computers: 1200})
	const {url, clientId, apiKey} = sandbox
	client = testClient(url, {clientId, apiKey: () => Promise.resolve(apiKey), clock: hasty})
	const source = inventorySource({...client, call: withFailures(client)})
	inventory = openInventory({path: join(folder, 'one.db'), clock: systemClock, source})
})
afterEach(async () => {
	await inventory.stop()
	await client.stop()
	await sandbox.stop()
})

function withFailures({call}: ApiClient): ApiClient['call'] {
	return async (request, options) => {
		const offset = request.query?.find(([name]) => name === 'offset')?.[1]
		if (request.path.join('/') === 'computers' && failing.has(offset ?? '0')) throw new CordonError('service_error')
		return call(request, options)
	}
}

test('a whole tenant is read, its groups too, with three pages for the computers', async () => {
	const state = await inventory.refresh()
	expect(state).toMatchObject({phase: 'complete', rows: 1200, total: 1200, pagesRead: 3, error: null})
	const computers = sandbox.requests.filter(request => request.path.startsWith('/v1/computers'))
	expect(computers).toHaveLength(3)
	const groups = inventory.groups()
	expect(groups.some(group => group.path.length > 1)).toBe(true)
	expect(groups.reduce((sum, group) => sum + group.computers, 0)).toBe(1200)
})

test('a page that failed is missing, and is read alone later', async () => {
	failing.add('500')
	expect(await inventory.refresh()).toMatchObject({phase: 'partial', missing: [500], rows: 700})
	expect(inventory.state().error?.code).toBe('service_error')
	failing.clear()
	sandbox.clearRequests()
	expect(await inventory.refreshMissing()).toMatchObject({phase: 'complete', missing: [], rows: 1200})
	expect(sandbox.requests.every(request => !request.path.includes('offset=0'))).toBe(true)
})

test('an unreachable service is reported with the reason', async () => {
	await sandbox.stop()
	const state = await inventory.refresh()
	expect(state).toMatchObject({phase: 'failed', rows: 0, completeAt: null, error: {code: 'refused'}})
})
