/** The result of a task: the state at the service and the log entries, past the screen. */
import type {LogEntry} from '#model/incident.ts'

import {expect, type Console} from '../fixtures.ts'
import {askService, type SandboxProcess} from '../processes.ts'

export interface Computer {
	connector_guid: string
	hostname: string
	group_guid: string
	isolation: {status: string}
}

export async function computersOf(service: SandboxProcess, hostnames: readonly string[]): Promise<readonly Computer[]> {
	const all = await askService<readonly Computer[]>(service, 'computers?limit=500')
	return hostnames.flatMap(name => all.filter(({hostname}) => hostname === name))
}

export async function expectIsolations(service: SandboxProcess, hostnames: readonly string[], status: string) {
	const states = (await computersOf(service, hostnames)).map(({hostname, isolation}) => [hostname, isolation.status])
	expect(states).toEqual(hostnames.map(name => [name, status]))
}

/** Entries of changes, oldest first. */
async function changesIn(app: Console): Promise<readonly LogEntry[]> {
	const read = await app.cli('log', '--json', '--writes', '--limit', '1000')
	expect(read.code, read.stderr).toBe(0)
	return (JSON.parse(read.stdout) as {data: readonly LogEntry[]}).data // the documented form of `log --json`
}

/** How often a command succeeded, by the log. */
export async function timesIn(app: Console, command: string) {
	return (await changesIn(app)).filter(entry => entry.command === command && entry.kind === 'command.succeeded').length
}
