/** Processes of a test's own that are killed with SIGKILL at random moments. */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {setImmediate, setTimeout} from 'node:timers/promises'

/** Starts a script of ours; secrets go in by stdin, one line each. */
export function startScript(script: string, args: string[], lines: string[]): ChildProcess {
	const child = spawn(process.execPath, [script, ...args], {stdio: ['pipe', 'pipe', 'inherit']})
	child.stdin.on('error', () => {})
	child.stdin.end(lines.join('\n'))
	return child
}

/** Kills it soon after `isDue` first says so. `false` when it came to its end before. */
export async function killSoon(child: ChildProcess, isDue: () => boolean, random: () => number) {
	const ended = once(child, 'exit').then(() => true)
	while (!isDue()) if (await Promise.race([ended, setTimeout(2, false)])) return false
	// Anywhere between the request, its answer, and what is written down of it.
	for (let turns = Math.floor(random() * 20); turns > 0; turns -= 1) await setImmediate()
	child.kill('SIGKILL')
	await ended
	return child.signalCode === 'SIGKILL'
}
