/** Shared by tests of the local copy: a manual clock, generated computers and a service that tests steer. */
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {CordonError, reportError, type ErrorReport} from '#contract/errors.ts'
import type {Computer} from '#model/computer.ts'
import {stringifyExact} from '#model/exact-json.ts'
import type {Group} from '#model/group.ts'

import type {LabelReader} from '#core/service/labels/labels.ts'
import type {Clock} from '#base/ports.ts'
import {openInventory, type Inventory} from '../inventory.ts'
import type {InventorySource, ListingOutcome} from '../source.ts'

export const byName = {filter: '', sort: {column: 'hostname', descending: false}} as const

/** A gate that a page waits at until it is opened. */
export function gate() {
	const {promise, resolve} = Promise.withResolvers<void>()
	return {wait: () => promise, open: resolve}
}

export const startOfTime = Date.UTC(2026, 0, 15, 12)
const pageSize = 500

export interface ManualClock extends Clock {
	advance(ms: number): void
}

/** Time moves only by `advance`; sleepers wake when it has passed them. */
export function manualClock(): ManualClock {
	let now = startOfTime
	const sleepers = new Set<{until: number; wake: () => void}>()
	return {
		now: () => now,
		monotonic: () => now,
		sleep: (ms, signal) => {
			const {promise, resolve, reject} = Promise.withResolvers<void>()
			const sleeper = {until: now + ms, wake: resolve}
			sleepers.add(sleeper)
			signal?.addEventListener('abort', () => {
				sleepers.delete(sleeper)
				reject(signal.reason)
			})
			return promise
		},
		advance: ms => {
			now += ms
			for (const sleeper of [...sleepers].filter(({until}) => until <= now)) {
				sleepers.delete(sleeper)
				sleeper.wake()
			}
		}
	}
}

const departments = ['FIN', 'HR', 'ENG', 'OPS', 'LEGAL']
const systems = ['Windows 10 (Build 19044.1466)', 'Windows Server 2019 Datacenter', 'Ubuntu 20.04', 'OS X 10.14.6']
const statuses = ['isolated', 'pending_start', 'pending_stop']

export function guidOf(index: number) {
	return `${index.toString(16).padStart(8, '0')}-1111-4222-8333-${(index * 7919).toString(16).padStart(12, '0')}`
}

export function computer(index: number, changes: Partial<Computer> = {}): Computer {
	const department = departments[index % departments.length] ?? ''
	const group = groupOf(index % 20)
	return {
		connector_guid: guidOf(index),
		hostname: `${department}-WS-${(index * 37) % 100_003}`,
		active: index % 50 !== 0,
		operating_system: systems[index % systems.length] ?? '',
		os_version: '10.0.19044.1466',
		connector_version: `8.${index % 5}.0.30201`,
		internal_ips: [`10.${index % 250}.${(index >> 8) % 250}.${(index * 3) % 250}`],
		external_ip: `203.0.113.${index % 200}`,
		network_addresses: [{mac: macOf(index), ip: ''}],
		group_guid: group.guid,
		groups: [group],
		policy: {guid: guidOf(900_000 + (index % 4)), name: ['Protect', 'Audit', 'Triage', 'Server'][index % 4] ?? ''},
		install_date: new Date(startOfTime - (index % 900) * 86_400_000).toISOString(),
		last_seen: new Date(startOfTime - ((index * 7919) % 40_000) * 60_000).toISOString(),
		is_compromised: index % 97 === 0,
		faults: [],
		isolation: {available: index % 11 !== 0, status: index % 60 === 1 ? (statuses[index % 3] ?? '') : 'not_isolated'},
		...changes
	}
}

export function computers(count: number): readonly Computer[] {
	return Array.from({length: count}, (_, index) => computer(index))
}

export function groupOf(index: number): {guid: string; name: string} {
	return {guid: guidOf(800_000 + index), name: `Group ${index}`}
}

function macOf(index: number) {
	return (index * 48_271 + 0x1e_c0_00_00_00_00).toString(16).padStart(12, '0').match(/../g)?.join(':') ?? ''
}

/** A service in memory, steered by its fields. */
export interface FakeService extends InventorySource {
	computersNow: readonly Computer[]
	groupsNow: readonly Group[]
	failing: Set<number>
	down: ErrorReport | null
	/** Called before each page; the listing waits for it. */
	beforePage: (offset: number) => Promise<void>
	read: number[]
}

export function fakeService(clock: Clock, records: readonly Computer[]): FakeService {
	const service: FakeService = {
		computersNow: records,
		groupsNow: [],
		failing: new Set(),
		down: null,
		beforePage: () => Promise.resolve(),
		read: [],
		computers: options => list(service, clock, options),
		groups: () => Promise.resolve({groups: service.groupsNow, at: clock.now()})
	}
	return service
}

async function list(
	service: FakeService,
	clock: Clock,
	{offsets, onPage, read, room, signal}: Parameters<InventorySource['computers']>[0]
): Promise<ListingOutcome> {
	if (service.down !== null) return {complete: false, total: null, missing: offsets ?? [], error: service.down}
	const total = service.computersNow.length
	const all = Array.from({length: Math.max(1, Math.ceil(total / pageSize))}, (_, page) => page * pageSize)
	const missing: number[] = []
	for (const offset of offsets ?? all) {
		const at = clock.now()
		const records = service.computersNow.slice(offset, offset + pageSize)
		await room()
		await service.beforePage(offset)
		signal.throwIfAborted()
		service.read.push(offset)
		if (service.failing.has(offset)) missing.push(offset)
		else onPage({offset, held: await keep(records, read), total, at})
	}
	const error = missing.length === 0 ? null : reportError(new CordonError('service_error'))
	return {complete: offsets === undefined && missing.length === 0, total, missing, error}
}

/** As the client hands it over. */
async function keep(records: readonly Computer[], read: Parameters<InventorySource['computers']>[0]['read']) {
	const page = await read(new TextEncoder().encode(stringifyExact({data: records})), '')
	if ('errors' in page) throw new Error('The page tells errors.')
	return page.records[0]?.held ?? null
}

export type World = ReturnType<typeof makeWorld>

export function makeWorld(records: readonly Computer[] = [], labels?: LabelReader) {
	const folder = mkdtempSync(join(tmpdir(), 'inventory-'))
	const path = join(folder, 'inventory', 'one.db')
	const clock = manualClock()
	const service = fakeService(clock, records)
	const opened: Inventory[] = []
	const open = () => {
		const inventory = openInventory({path, clock, source: service, patienceMs: 10_000, labels})
		opened.push(inventory)
		return inventory
	}
	return {
		clock,
		service,
		path,
		/** A second handle on the same file, as another process has. */
		open,
		inventory: open(),
		close: async () => {
			await Promise.all(opened.map(inventory => inventory.stop()))
			rmSync(folder, {recursive: true})
		}
	}
}
