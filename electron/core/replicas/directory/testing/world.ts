/** What the tests of the directory share: the sandbox, a client, the local copy of computers, and a file that outlives it. */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {startSandbox, type SandboxOptions} from '#sandbox/server.ts'

import {testClient} from '#core/service/api/testing/client.ts'
import {testClock, type TestClock} from '#core/service/api/testing/clock.ts'
import type {Clock} from '#base/ports.ts'
import {openInventory, type Inventory} from '../../computers/inventory.ts'
import {inventorySource} from '../../computers/source.ts'
import {openDirectory, type Directory} from '../directory.ts'
import {directorySource, type DirectorySource} from '../source.ts'
import {nothingSeen, type SeenSource} from '../types.ts'

/** The row of that name, which must be there. */
export function named<T extends {name: string}>(rows: readonly T[], name: string): T {
	const found = rows.find(row => row.name === name)
	if (found === undefined) throw new Error(`There is no ${name}.`)
	return found
}

export type World = Awaited<ReturnType<typeof makeWorld>>

/** Time runs by itself through every pause, for the service too. */
export async function makeWorld(service: Partial<SandboxOptions>) {
	const clock = testClock({eager: true})
	const folder = mkdtempSync(join(tmpdir(), 'directory-'))
	const sandbox = await startSandbox({port: 0, ...service, now: clock.now})
	const {clientId, apiKey} = sandbox
	const client = testClient(sandbox.url, {clientId, apiKey: async () => apiKey, clock})
	const inventory = openInventory({path: join(folder, 'computers.db'), clock, source: inventorySource(client)})
	const path = join(folder, 'directory', 'one.db')
	const opened: Directory[] = []
	const troubles: string[] = []
	return {
		...{clock, sandbox, client, inventory, path, troubles},
		/** Opens the same file once more, as after a restart. */
		open: ({source, seen}: {source?: DirectorySource; seen?: SeenSource} = {}) => {
			const directory = openDirectory({
				...{path, clock: resting(clock)},
				source: source ?? directorySource(client),
				computers: computersOf(inventory),
				seen: seen ?? nothingSeen,
				onTrouble: message => troubles.push(message)
			})
			opened.push(directory)
			return directory
		},
		/** Paths of the requests so far, without queries. */
		asked: () => sandbox.requests.map(request => request.path.replace(/\?.*$/, '')),
		close: async () => {
			await Promise.all(opened.map(directory => directory.stop()))
			await inventory.stop()
			await client.stop()
			await sandbox.stop()
			rmSync(folder, {recursive: true})
		}
	}
}

function computersOf(inventory: Inventory): Parameters<typeof openDirectory>[0]['computers'] {
	return {
		cells: () => {
			const names = new Map(inventory.groups().map(({guid, name}) => [guid, name]))
			return inventory.spread().map(cell => ({...cell, groupName: names.get(cell.groupGuid) ?? ''}))
		},
		complete: () => inventory.state().phase === 'complete'
	}
}

/** The same time, in which whoever sleeps sleeps until he is woken: watching the file for other processes takes no turns. */
function resting(clock: TestClock): Clock {
	return {
		now: clock.now,
		monotonic: clock.monotonic,
		sleep: (_ms, signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason), {once: true}))
	}
}
