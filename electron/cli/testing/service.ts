/** A sandbox service, a temporary profile with a read-write connection to it, and the command line on that profile. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'

import {run, type Ran, type RunOptions} from './run.ts'

export interface ServiceBench {
	sandbox: Sandbox
	folder: string
	cordon(argv: readonly string[], options?: RunOptions): Promise<Ran>
	/** Its exit code, and what it prints with `--json`. The cast of `JSON.parse`: each test says what it expects. */
	json(...argv: string[]): Promise<ReturnType<typeof JSON.parse>>
	/** Writes a file readable only by its owner; returns its path. */
	file(name: string, text: string): string
	stop(): Promise<void>
}

/** The connection is `lab`. */
export async function startServiceBench(options: Parameters<typeof startSandbox>[0]): Promise<ServiceBench> {
	const sandbox = await startSandbox(options)
	const folder = mkdtempSync(join(tmpdir(), 'cordon-cli-service-'))
	const lines = linesIn(folder)
	const stop = async () => {
		await sandbox.stop()
		rmSync(folder, {recursive: true, force: true})
	}
	await addLab({sandbox, ...lines, stop})
	return {sandbox, ...lines, stop}
}

/** The command line on the profile of a folder. */
export function linesIn(folder: string): Pick<ServiceBench, 'folder' | 'cordon' | 'json' | 'file'> {
	const cordon: ServiceBench['cordon'] = (argv, how) => run(['--profile', join(folder, 'profile'), ...argv], how)
	return {
		folder,
		cordon,
		json: async (...argv) => {
			const {code, out} = await cordon([...argv, '--json'])
			return {code, ...JSON.parse(out)}
		},
		file: (name, text) => {
			const path = join(folder, name)
			writeFileSync(path, text, {mode: 0o600})
			return path
		},
	}
}

/** Connects it to the sandbox, as `lab`. */
export async function addLab({
	sandbox,
	cordon,
	file,
	stop,
}: Pick<ServiceBench, 'sandbox' | 'cordon' | 'file' | 'stop'>): Promise<void> {
	const key = ['--api-key-file', file('key', sandbox.apiKey)]
	const service = ['--server', sandbox.url, '--client-id', sandbox.clientId, ...key]
	const {code, err} = await cordon(['connections', 'add', 'lab', ...service, '--writable'])
	if (code !== 0) {
		await stop()
		throw new Error(err)
	}
}
