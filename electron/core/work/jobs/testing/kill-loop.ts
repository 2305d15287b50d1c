/** Starts a job in a process, kills that with SIGKILL again and again, and lets the last one come to the end. */
import type {ChildProcess} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'

import type {JobReceipt, JobSummary} from '#model/job.ts'

import {killSoon, startScript} from '#base/testing/killed.ts'

export interface KillLoop {
	folder: string
	service: {url: string; clientId: string; apiKey: string; requests: readonly {method: string}[]}
	targets: readonly string[]
	kills: number
	/** A kill falls after 1 to this many further changes have arrived. */
	mostChanges: number
	/** From 0 to below 1: where the next kill falls. */
	random: () => number
}

export interface Survived extends Pick<JobSummary, 'phase' | 'because' | 'counts'> {
	receipts: readonly JobReceipt[]
	/** How many processes were killed before they had come to the end. */
	killed: number
}

export async function killLoop(loop: KillLoop): Promise<Survived> {
	let killed = 0
	while (killed < loop.kills) {
		const child = start(loop)
		const output = text(child.stdout ?? process.stdin)
		const killing = await killOne(loop, child)
		if (!killing) return {...resultOf(await output), killed}
		await output
		killed += 1
	}
	const child = start(loop)
	return {...resultOf(await text(child.stdout ?? process.stdin)), killed}
}

/** Starts a job, kills its process, and lets several go on with it at the same moment; in the order in which they were started. */
export async function killedThenTogether(loop: KillLoop, processes: number): Promise<readonly Omit<Survived, 'killed'>[]> {
	const first = start(loop)
	first.stdout?.resume()
	if (!(await killOne(loop, first))) throw new Error('The job came to its end before its process was killed.')
	const together = Array.from({length: processes}, () => start(loop))
	return await Promise.all(together.map(async ({stdout}) => resultOf(await text(stdout ?? process.stdin))))
}

function resultOf(output: string) {
	// Printed by `one-job.ts`.
	return JSON.parse(output) as Omit<Survived, 'killed'>
}

function start({folder, service, targets}: KillLoop) {
	const script = fileURLToPath(new URL('one-job.ts', import.meta.url))
	return startScript(script, [folder, service.url, service.clientId], [service.apiKey, ...targets])
}

/** `false` when it came to its end before. */
async function killOne({service, random, mostChanges}: KillLoop, child: ChildProcess) {
	const wanted = changes(service) + 1 + Math.floor(random() * mostChanges)
	return await killSoon(child, () => changes(service) >= wanted, random)
}

function changes({requests}: KillLoop['service']) {
	return requests.filter(({method}) => method === 'PUT').length
}
