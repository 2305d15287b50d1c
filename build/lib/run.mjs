import {spawn, spawnSync} from 'node:child_process'

import {root} from './paths.mjs'

const forwarded = process.platform === 'win32' ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP']
const watchParentEveryMs = 500

/**
 * Runs the program with our stdio, forwards signals, and resolves with its exit code. A program that ends by a signal ends
 * us by the same one. `leash` gives it a channel that closes when we end, however we end.
 */
export function runInPlace(command, args, {env = process.env, leash = false} = {}) {
	// npm runs scripts in the checkout; paths among the arguments are meant from where the person stands.
	const cwd = process.env.npm_lifecycle_event === undefined ? process.cwd() : (process.env.INIT_CWD ?? process.cwd())
	const stdio = leash ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit'
	const child = spawn(command, args, {stdio, env, cwd})
	const handlers = forwarded.map(signal => [signal, () => void child.kill(signal)])
	for (const [signal, handler] of handlers) process.on(signal, handler)
	const watch = watchParent(() => void child.kill('SIGTERM'))
	return new Promise((resolve, reject) => {
		child.once('error', reject)
		child.once('exit', (code, signal) => {
			clearInterval(watch)
			for (const [name, handler] of handlers) process.off(name, handler)
			if (signal !== null && process.platform !== 'win32') process.kill(process.pid, signal)
			resolve(code ?? 1)
		})
	})
}

/** npm's shell may die of a signal without forwarding it. Without npm our parent may leave us running (nohup). */
function watchParent(onGone) {
	if (process.env.npm_lifecycle_event === undefined) return undefined
	const parent = process.ppid
	return setInterval(() => process.ppid !== parent && onGone(), watchParentEveryMs).unref()
}

/** Runs a tool to its end. `quiet` keeps its output and returns it; otherwise it goes to stderr. */
export function runTool(command, args, {quiet = false, env = process.env, timeoutMs, cwd = root, shell = false} = {}) {
	const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2]
	const result = spawnSync(command, args, {cwd, env, stdio, timeout: timeoutMs, shell, encoding: 'utf8', maxBuffer: 64 << 20})
	const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error === undefined ? '' : `${result.error.message}\n`}`
	return {ok: result.status === 0, status: result.status ?? 1, output}
}
