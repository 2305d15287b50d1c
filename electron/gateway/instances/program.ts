/** A command that runs as long as its instance, in its own process group. */
import {spawn, type ChildProcess} from 'node:child_process'
import {existsSync} from 'node:fs'

import {systemCode} from '#contract/errors.ts'
import type {ProcessIdentity} from '#core/store/process-identity.ts'
import {identityOf} from '#core/store/process-identity.ts'
import type {Output} from './output.ts'

/** Has the instance's ID in the environment of its program. */
export const instanceVariable = 'CORDON_INSTANCE'

export interface ProgramOptions {
	command: readonly string[]
	folder: string | null
	/** The whole environment. */
	environment: Readonly<Record<string, string>>
	output: Output
	/** Milliseconds of real time before a forced end. */
	patienceMs: number
}

export interface Program {
	/** `undefined` when it could not be started. */
	readonly identity: ProcessIdentity | undefined
	/** Resolves with how it ended, in a sentence, when its whole group has ended. */
	readonly ended: Promise<string>
	/** SIGTERM, then SIGKILL. */
	stop(): Promise<void>
	/** Immediately, for the end of this process. */
	kill(): void
}

export function startProgram(options: ProgramOptions): Program {
	const [file = ''] = options.command
	const {folder, output} = options
	if (folder !== null && !existsSync(folder)) return failed(`Its folder ${folder} does not exist.`)
	const child = spawned(options)
	if ('code' in child) return failed(`It cannot be started: ${child.code}.`)
	output.capture('stdout', child.stdout)
	output.capture('stderr', child.stderr)
	const ended = endOf(child, file)
	const {pid} = child
	return {
		identity: pid === undefined ? undefined : identityOf(pid),
		ended,
		stop: async () => {
			signalGroup(child, 'SIGTERM')
			const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), options.patienceMs)
			await ended
			clearTimeout(timer)
		},
		kill: () => signalGroup(child, 'SIGKILL')
	}
}

/** Some refusals of the system are thrown, such as `ETXTBSY` for a program that is being replaced. */
function spawned({command: [file = '', ...args], folder, environment}: ProgramOptions) {
	try {
		return spawn(file, args, {
			cwd: folder ?? undefined,
			env: {...environment},
			// A separate group, so that its children end with it.
			detached: process.platform !== 'win32',
			stdio: ['ignore', 'pipe', 'pipe'],
			windowsHide: true
		})
	} catch (error) {
		// Not the message: it may show the value of a variable.
		return {code: systemCode(error) ?? 'unknown'}
	}
}

/** How long its last output is read after its end. */
const lastWordsMs = 500

function failed(reason: string): Program {
	return {identity: undefined, ended: Promise.resolve(reason), stop: async () => {}, kill: () => {}}
}

function endOf(child: ChildProcess, file: string): Promise<string> {
	return new Promise(resolve => {
		child.on('error', error => {
			const missing = 'code' in error && error.code === 'ENOENT'
			if (child.pid === undefined) resolve(missing ? `The program ${file} was not found.` : `It cannot be started: ${error.message}.`)
		})
		child.on('exit', (code, signal) => {
			// Its children must not keep its port.
			signalGroup(child, 'SIGKILL')
			const how = signal === null ? `It ended with exit code ${code ?? 0}.` : `It was ended by ${signal}.`
			const timer = setTimeout(() => end(how), lastWordsMs)
			child.on('close', () => {
				clearTimeout(timer)
				end(how)
			})
		})
		const end = (how: string) => {
			// A process that left the group may hold them forever.
			child.stdout?.destroy()
			child.stderr?.destroy()
			resolve(how)
		}
	})
}

function signalGroup({pid}: ChildProcess, signal: NodeJS.Signals) {
	if (pid !== undefined) endGroup(pid, signal)
}

/** Does nothing when the group has ended. */
export function endGroup(pid: number, signal: NodeJS.Signals) {
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, signal)
	} catch {
		// It has already ended.
	}
}
