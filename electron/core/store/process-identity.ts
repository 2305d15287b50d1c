import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'

import {systemCode} from '#contract/errors.ts'

/** One process of this computer. The pid alone is not enough: the system reuses it. */
export interface ProcessIdentity {
	readonly pid: number
	/**
	 * Start time: on Linux as the kernel counts it, elsewhere as ISO 8601 in UTC. Empty when unknown; then the pid alone counts.
	 */
	readonly started: string
}

/** How to query the system about processes. */
export interface ProcessSystem {
	readonly platform: string
	/** Throws when the file does not exist. */
	read(path: string): string
	/** The output of a program, `''` when it failed. */
	run(program: string, args: readonly string[]): string
	/** Whether a process of this number exists, of any user. */
	exists(pid: number): boolean
}

/** Reported start times are rounded to seconds, and a process measures its own slightly later. */
const toleranceMs = 5000

export function createIdentities(system: ProcessSystem) {
	const asked = createAsked(system)
	const startOf = (pid: number) => (system.platform === 'linux' ? linuxStart(system, pid) : asked(pid))
	const ownStart = () => (system.platform === 'linux' ? (linuxStart(system, process.pid) ?? '') : new Date(performance.timeOrigin).toISOString())
	let known: ProcessIdentity | undefined
	const own = () => (known ??= {pid: process.pid, started: ownStart()})
	return {
		own,
		/** A process that this one just started. */
		of: (pid: number) => ({pid, started: startOf(pid) ?? ''}),
		/** Whether that very process still runs. */
		isAlive({pid, started}: ProcessIdentity) {
			// Every look at a connection of this process asks, and its start stays.
			if (pid === process.pid) return started === '' || isSameStart(own().started, started)
			if (!system.exists(pid)) return false
			if (started === '') return true
			const now = startOf(pid)
			// What cannot be read may have ended since.
			return now === undefined ? system.exists(pid) : isSameStart(now, started)
		}
	}
}

function isSameStart(one: string, other: string) {
	const apart = Date.parse(one) - Date.parse(other)
	return one === other || Math.abs(apart) <= toleranceMs
}

const identities = createIdentities({
	platform: process.platform,
	read: path => readFileSync(path, 'utf8'),
	run: (program, args) => {
		const {status, stdout} = spawnSync(program, args, {encoding: 'utf8', timeout: 10_000, windowsHide: true})
		return status === 0 ? stdout : ''
	},
	exists
})

export const ownIdentity = identities.own
export const identityOf = identities.of
export const isAlive = identities.isAlive

function exists(pid: number) {
	if (pid <= 0) return false
	try {
		process.kill(pid, 0)
		return true
	} catch (error) {
		// EPERM: it runs, but belongs to another user.
		return systemCode(error) === 'EPERM'
	}
}

/** From the third on: the second, a name in brackets, may hold spaces and brackets too. */
export function statFields(stat: string): readonly string[] {
	return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Clock ticks since boot (proc_pid_stat(5), field 22) with the boot's own id. A zombie no longer counts. */
function linuxStart({read}: ProcessSystem, pid: number) {
	try {
		const fields = statFields(read(`/proc/${pid}/stat`))
		if (fields[0] === 'Z' || fields[0] === 'X') return 'ended'
		const boot = read('/proc/sys/kernel/random/boot_id').slice(0, 8)
		return `${boot}-${fields[19] ?? ''}`
	} catch {
		return undefined
	}
}

/** Queries take a while, and lists of jobs and locks repeat the same few processes. */
function createAsked(system: ProcessSystem): (pid: number) => string | undefined {
	const known = new Map<number, {at: number; start: string | undefined}>()
	return pid => {
		const last = known.get(pid)
		if (last !== undefined && performance.now() - last.at < toleranceMs) return last.start
		const start = dateOf(system, pid)?.toISOString()
		known.set(pid, {at: performance.now(), start})
		return start
	}
}

/** From the system's own program: PowerShell on Windows, ps(1) elsewhere. Windows hides processes of other users. */
function dateOf({platform, run}: ProcessSystem, pid: number) {
	const text =
		platform === 'win32'
			? run('powershell.exe', [
					...['-NoProfile', '-NonInteractive', '-Command'],
					`(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`
				])
			: run('env', ['LC_ALL=C', 'ps', '-o', 'lstart=', '-p', String(pid)])
	const date = new Date(text.trim())
	return Number.isNaN(date.getTime()) ? undefined : date
}
