/** A forwarding server in a separate process, observed from outside. */
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

import type {InstanceWish} from '../../testing/heads.ts'

export type ForwarderProcess = Awaited<ReturnType<typeof startForwarderProcess>>

export async function startForwarderProcess(wishes: readonly InstanceWish[]) {
	const script = fileURLToPath(new URL('./serve.ts', import.meta.url))
	const child = spawn(process.execPath, [script, JSON.stringify(wishes)], {stdio: ['pipe', 'pipe', 'inherit']})
	const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
	const ended = exited.then(code => {
		throw new Error(`The forwarding server ended with ${code} before it was ready.`)
	})
	ended.catch(() => {})
	const [line]: unknown[] = await Promise.race([once(createInterface({input: child.stdout}), 'line'), ended])
	// The line written by serve.ts.
	const {port, authority} = JSON.parse(String(line)) as {port: number; authority: string}
	return {
		port,
		/** PEM of the authority trusted by clients. */
		authority,
		/** Open descriptors; Linux only. */
		openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
		/** Bytes in memory; Linux only. */
		memory: () => 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
		/** Resolves with its exit code. */
		stop: () => {
			child.stdin.end()
			return exited
		}
	}
}
