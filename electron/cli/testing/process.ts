/** The command line in a process of its own. */
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

export const entry = fileURLToPath(new URL('../../cli.ts', import.meta.url))

/** Its only cache is in `folder`; `texts` grow as it writes. */
export function start(folder: string, argv: readonly string[]): ChildProcess & {texts: {out: string; err: string}} {
	const child = spawn(process.execPath, [entry, ...argv], {
		env: {...process.env, XDG_CACHE_HOME: join(folder, 'cache'), NODE_COMPILE_CACHE: undefined},
		stdio: ['ignore', 'pipe', 'pipe']
	})
	const texts = {out: '', err: ''}
	child.stdout.on('data', (chunk: Buffer) => void (texts.out += chunk.toString()))
	child.stderr.on('data', (chunk: Buffer) => void (texts.err += chunk.toString()))
	return Object.assign(child, {texts})
}

export async function ended(child: ChildProcess): Promise<number | null> {
	if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
	return child.exitCode
}
