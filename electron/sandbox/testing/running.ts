import {parseExact} from '#model/exact-json.ts'
import {member} from '#shared/is-record.ts'

import type {Host} from '../tenant/host.ts'
import {pickAt} from '../tenant/random.ts'
import {startSandbox, type Sandbox, type SandboxOptions} from '../server.ts'

export type Row = Readonly<Record<string, unknown>>

const benchStart = Date.UTC(2026, 2, 4, 9, 30)

export type Bench = Awaited<ReturnType<typeof openBench>>

/** A sandbox with a manual clock and callers for its three kinds of users. */
export async function openBench(options: Partial<SandboxOptions> = {}) {
	let time = benchStart
	const sandbox = await startSandbox({port: 0, computers: 300, quota: 1_000_000, now: () => time, ...options})
	const raw = async (path: string, init: RequestInit) => read(await fetch(`${sandbox.url}${path}`, {redirect: 'manual', ...init}))
	const signed = (id: string, key: string, method: string, path: string, body?: unknown) =>
		raw(path, {method, ...jsonBody(body), headers: {...jsonBody(body).headers, authorization: basic(id, key)}})
	const call = (method: string, path: string, body?: Readonly<Record<string, string>>) =>
		signed(sandbox.clientId, sandbox.apiKey, method, path, body)
	return {
		sandbox,
		raw,
		call,
		/** Advances the clock, in milliseconds. */
		pass: (ms: number) => void (time += ms),
		now: () => time,
		get: (path: string) => call('GET', path),
		readOnly: (method: string, path: string) => signed(sandbox.readOnlyClientId, sandbox.readOnlyApiKey, method, path),
		control: (method: string, path: string, body?: unknown) =>
			raw(path, {method, ...jsonBody(body), headers: {...jsonBody(body).headers, 'x-sandbox-control': sandbox.controlToken}}),
		/** GUID of the computer with exactly that name. */
		guidOf: async (hostname: string) => {
			const {rows} = await call('GET', `/v1/computers?hostname=${encodeURIComponent(hostname)}`)
			const found = rows.find(computer => computer['hostname'] === hostname)
			if (found === undefined) throw new Error(`No computer is named ${hostname}`)
			return String(found['connector_guid'])
		},
		stop: sandbox.stop
	}
}

export function basic(id: string, key: string) {
	return `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`
}

function jsonBody(body: unknown): {headers?: Readonly<Record<string, string>>; body?: string} {
	return body === undefined ? {} : {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}
}

/** For tests only: a response, parsed with exact integers. */
async function read(response: Response) {
	// Named here: the type of Node's own cannot be, where a checkout borrows its modules.
	const headers: Headers = response.headers
	const text = await response.text()
	const body = jsonOf(text)
	const at = (...path: (string | number)[]) => dig(body, path)
	const data = at('data')
	const rows = Array.isArray(data) ? (data as Row[]) : [] // a border: the test looks at each record
	return {
		status: response.status,
		headers,
		text,
		body,
		/** The value at that path of the body, or `undefined`. */
		at,
		/** `data` as records; empty when it is no array. */
		rows,
		detail: at('errors', 0, 'details', 0),
		/** The first record. Throws when there is none. */
		get first(): Row {
			return pickAt(rows, 0)
		}
	}
}

/** The value at a path inside JSON, or `undefined`. */
export function dig(value: unknown, path: (string | number)[]): unknown {
	return path.reduce(member, value)
}

function jsonOf(text: string): unknown {
	try {
		return parseExact(text)
	} catch {
		return undefined // tests of broken responses use the text
	}
}

export async function startField(options: Partial<SandboxOptions>) {
	const sandbox = await startSandbox({port: 0, quota: 1_000_000, ...options})
	return {sandbox, ...fieldOf(sandbox)}
}

/** The changeable objects of a sandbox: workstations that can be isolated, and lists that block files. */
export function fieldOf(sandbox: Sandbox) {
	const {tenant} = sandbox.world
	const named = Map.groupBy(tenant.hosts, ({hostname}) => hostname)
	// An ambiguous name is refused.
	const hosts = readyHosts(sandbox).filter(({hostname}) => named.get(hostname)?.length === 1)
	const lists = tenant.lists.filter(({type}) => type === 'simple_custom_detections').map(({guid}) => guid)
	return {computers: hosts.map(({guid}) => guid), names: hosts.map(({hostname}) => hostname), lists}
}

/** Workstations that can be isolated now. */
export function readyHosts(sandbox: Sandbox): readonly Host[] {
	return sandbox.world.tenant.hosts.filter(host => host.role === 'workstation' && isFree(sandbox, host))
}

export function readyComputers(sandbox: Sandbox, count?: number): readonly string[] {
	return readyHosts(sandbox)
		.slice(0, count)
		.map(({guid}) => guid)
}

/** An online workstation, isolated or not. */
export function onlineComputer({world: {fleet, tenant}}: Sandbox) {
	return tenant.hosts.find(host => host.role === 'workstation' && fleet.available(host) && fleet.online(host))?.guid ?? ''
}

/** The id of a computer that can be isolated now. */
export function freeComputer(sandbox: Sandbox, skip = 0) {
	const guid = sandbox.world.tenant.hosts.filter(host => isFree(sandbox, host))[skip]?.guid
	if (guid === undefined) throw new Error('There is no such computer.')
	return guid
}

type HostChange = Parameters<Sandbox['world']['fleet']['change']>[1]

export interface ComputerChange extends Omit<HostChange, 'isolation'> {
	/** What is not given stays. */
	isolation?: Partial<HostChange['isolation']>
}

/** Somebody else, or the machine itself, changes a computer. */
export function changeComputer({world: {fleet}}: Sandbox, guid: string, {isolation, ...others}: ComputerChange) {
	const host = fleet.find(guid)
	if (host === undefined) throw new Error(`no computer ${guid}`)
	fleet.change(host, {...others, ...(isolation && {isolation: {...fleet.isolation(host), ...isolation}})})
}

/** GUID of the group that a computer is in. */
export function groupOf({world: {fleet, tenant}}: Sandbox, guid: string) {
	const host = fleet.find(guid)
	return tenant.groups[host === undefined ? -1 : fleet.group(host)]?.guid ?? ''
}

function isFree({world: {fleet}}: Sandbox, host: Host) {
	return fleet.available(host) && fleet.online(host) && fleet.isolation(host).status === 'not_isolated'
}
