/** Other programs at the ends of a chain: instances in Python, clients, and whether they are installed. */
import {spawn, spawnSync, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'

export type Program = Awaited<ReturnType<typeof startPrinting>>

/** Whether a command can be started. */
export function isInstalled(command: string) {
	return spawnSync(command, ['--version'], {stdio: 'ignore'}).error === undefined
}

/** A program that prints its port, alone or in a sentence, as its first line. */
export async function startPrinting(command: string, args: readonly string[]) {
	const child = spawn(command, args, {stdio: ['ignore', 'pipe', 'ignore']})
	const lines = createInterface({input: child.stdout})
	const ended = once(child, 'exit').then(() => {
		throw new Error(`${command} ended before it told its port.`)
	})
	ended.catch(() => {})
	const first: unknown[] = await Promise.race([once(lines, 'line'), ended])
	const port = /\b(\d{4,5})\b/.exec(String(first[0]))?.[1]
	return {port: Number(port), stop: () => end(child)}
}

async function end(child: ChildProcess) {
	if (child.exitCode !== null || child.signalCode !== null) return
	const gone = once(child, 'exit')
	child.kill('SIGKILL')
	await gone
}
