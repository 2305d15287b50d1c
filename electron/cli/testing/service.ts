/** A sandbox service, a temporary profile with a read-write connection to it, and the command line on that profile. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {afterAll, beforeAll} from 'vitest'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'

import {run, type Ran, type RunOptions} from './run.ts'

export interface ServiceBench {
	sandbox: Sandbox
	folder: string
	/** The first of `argv` may hold several words. */
	cordon(argv: readonly string[], options?: RunOptions): Promise<Ran>
	/** Its exit code, and what it prints with `--json`. The cast of `JSON.parse`: each test says what it expects. */
	json(...argv: string[]): Promise<ReturnType<typeof JSON.parse>>
	/** The options that name the sandbox and its key. */
	service(clientId?: string): string[]
	/** Writes a file readable only by its owner, unless it is given another mode; returns its path. */
	file(name: string, text: string, mode?: number): string
	stop(): Promise<void>
}

export type Tenant = Partial<Parameters<typeof startSandbox>[0]>

/** The connection is `lab`. Agents answer at once. */
export async function startServiceBench(tenant: Tenant): Promise<ServiceBench> {
	const sandbox = await startSandbox({port: 0, agentDelayMs: 0, ...tenant})
	const folder = mkdtempSync(join(tmpdir(), 'cordon-cli-service-'))
	const lines = linesIn(folder)
	const stop = async () => {
		await sandbox.stop()
		rmSync(folder, {recursive: true, force: true})
	}
	const service = serviceOf(sandbox, folder)
	await addLab({service, sandbox, ...lines, stop})
	return {service, sandbox, ...lines, stop}
}

/** For all tests of a file. */
export function serviceBench(tenant: Tenant, prepare?: () => unknown): ServiceBench {
	return ofFile(() => startServiceBench(tenant), prepare)
}

export function ofFile<Bench extends {stop(): Promise<void>}>(start: () => Promise<Bench>, prepare?: () => unknown): Bench {
	const bench = {} as Bench // whole before the first test
	beforeAll(async () => {
		Object.assign(bench, await start())
		await prepare?.()
	}, 60_000)
	afterAll(() => bench.stop())
	return bench
}

export function serviceOf({url, clientId}: Sandbox, folder: string): ServiceBench['service'] {
	return (id = clientId) => ['--server', url, '--client-id', id, '--api-key-file', join(folder, 'key')]
}

/** The command line on the profile of a folder. */
export function linesIn(folder: string): Pick<ServiceBench, 'folder' | 'cordon' | 'json' | 'file'> {
	const cordon: ServiceBench['cordon'] = ([typed = '', ...more], how) =>
		run(['--profile', join(folder, 'profile'), ...typed.split(' '), ...more], how)
	return {
		folder,
		cordon,
		json: async (...argv) => {
			const {code, out} = await cordon([...argv, '--json'])
			return {code, ...JSON.parse(out)}
		},
		file: (name, text, mode = 0o600) => {
			const path = join(folder, name)
			writeFileSync(path, text, {mode})
			return path
		}
	}
}

/** Connects it to the sandbox, as `lab`. */
export async function addLab({service, sandbox, cordon, file, stop}: Omit<ServiceBench, 'folder' | 'json'>) {
	file('key', sandbox.apiKey)
	const {code, err} = await cordon(['connections', 'add', 'lab', ...service(), '--writable'])
	if (code !== 0) {
		await stop()
		throw new Error(err)
	}
}
