/** An operator at the command line of the same profile: queries, isolations and releases of a few computers at a time. */
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {cliBeside, runBeside} from '../processes.ts'
import type {Stage} from '../ui/stage.ts'
import {pause, type Notes} from './notes.ts'

const atATime = 3
/** 0: success. 1 and 9: failures through the weather, which the receipts report. */
const honest: ReadonlySet<number | null> = new Set([0, 1, 9])

export async function askQuestions({profile}: Stage, notes: Notes) {
	await notes.each(async () => {
		notes.add('node', (await runBeside(['-e', '0'])).ms)
		const {status, stderr, ms} = await cliBeside(profile, ['svc_get_version'])
		if (status === 0) notes.add('command line', ms)
		else notes.fault(`svc_get_version ended with ${status}: ${stderr}`)
		await pause(1000)
	})
}

/** `ready`: GUIDs of computers that can be isolated. */
export async function runJobs({profile}: Stage, notes: Notes, ready: readonly string[]) {
	const file = join(profile, 'soak-targets.txt')
	await notes.each(async turn => {
		const from = (turn * atATime) % (ready.length - atATime + 1)
		writeFileSync(file, ready.slice(from, from + atATime).join('\n'))
		for (const kind of ['isolate', 'release']) await runJob(profile, notes, kind, file)
	})
}

async function runJob(profile: string, notes: Notes, kind: string, file: string) {
	const args = ['job', kind, '--targets', file, '--reason', 'soak', '--confirm', String(atATime)]
	const {status, stderr} = await cliBeside(profile, args)
	if (honest.has(status)) notes.add(status === 0 ? 'jobs done' : 'jobs in part', 1)
	else notes.fault(`cordon job ${kind} ended with ${status}: ${stderr}`)
}

interface Listed {
	connector_guid: string
	hostname: string
	last_seen?: string
	isolation?: {available: boolean; status: string}
}

/** Online workstations. Call it while the weather is fair. */
export async function readyComputers({profile}: Stage): Promise<readonly string[]> {
	const {status, stdout} = await cliBeside(profile, ['svc_get_computers', '--limit', '500', '--json'])
	if (status !== 0) throw new Error(`The computers could not be listed: ${stdout}`)
	const {data} = JSON.parse(stdout) as {data: readonly Listed[]}
	const recently = Date.now() - 600_000
	return data
		.filter(({hostname, last_seen: seen = ''}) => /-(?:WS|LT)-/.test(hostname) && Date.parse(seen) > recently)
		.filter(({isolation}) => isolation?.available === true && isolation.status === 'not_isolated')
		.map(({connector_guid: guid}) => guid)
}
