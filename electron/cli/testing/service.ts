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
	/** Writes a file readable only by its owner; returns its path. */
	file(name: string, text: string): string
	stop(): Promise<void>
}

/** The connection is `lab`. */
export async function startServiceBench(options: Parameters<typeof startSandbox>[0]): Promise<ServiceBench> {
	const sandbox = await startSandbox(options)
	const folder = mkdtempSync(join(tmpdir(), 'cordon-cli-service-'))
	const cordon: ServiceBench['cordon'] = (argv, how) => run(['--profile', join(folder, 'profile'), ...argv], how)
	const file: ServiceBench['file'] = (name, text) => {
		const path = join(folder, name)
		writeFileSync(path, text, {mode: 0o600})
		return path
	}
	const stop = async () => {
		await sandbox.stop()
		rmSync(folder, {recursive: true, force: true})
	}
	await addLab({sandbox, cordon, file, stop})
	return {sandbox, folder, cordon, file, stop}
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
