/** Containment and blocking by playbooks whose processes are killed with SIGKILL repeatedly, alone and in pairs. */
import type {ChildProcess} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'

import type {startField} from '#sandbox/testing/running.ts'

import {killSoon, startScript} from '#base/testing/killed.ts'

const script = fileURLToPath(new URL('one-run.ts', import.meta.url))

/** `together`: number of processes at once; each is killed at its own moment. */
export async function killPlaybooks(field: Awaited<ReturnType<typeof startField>>, kills: number, together: number, random: () => number) {
	const folder = mkdtempSync(join(tmpdir(), 'playbook-kill-'))
	try {
		const {sandbox} = field
		const computers = field.computers.slice(0, kills)
		// After ten isolations in a day the guard rules want the name, not the GUID.
		const names = field.names.slice(0, kills)
		const hashes = Array.from({length: Math.ceil(kills / 5)}, (_none, index) => index.toString(16).padStart(64, 'ab'))
		const changes = () => sandbox.requests.filter(({method}) => method === 'PUT' || method === 'POST').length
		const start = () => startScript(script, [folder, sandbox.url, sandbox.clientId], [sandbox.apiKey, names.join(','), hashes.join(',')])
		const killOne = async (child: ChildProcess) => {
			child.stdout?.resume()
			// After a change has arrived, or any time after the process start.
			const wanted = changes() + 1 + Math.floor(random() * 2)
			const patience = random() < 0.5 ? 0 : 2 + Math.floor(random() * 600)
			let looks = 0
			return await killSoon(child, () => changes() >= wanted || (looks += 1) === patience, random)
		}
		let killed = 0
		for (let round = 0; round * together < kills; round += 1) {
			const ends = await Promise.all(Array.from({length: together}, () => killOne(start())))
			killed += ends.filter(Boolean).length
		}
		const printed = await Promise.all(Array.from({length: together}, () => text(start().stdout ?? process.stdin)))
		const taken = (method: string, ...parts: readonly string[]) =>
			sandbox.requests.filter(one => one.method === method && parts.every(part => one.path.includes(part)) && one.status < 300).length
		const listings = hashes.flatMap(hash => field.lists.map(list => [hash, list] as const))
		const wrong = [
			...computers.filter(guid => taken('PUT', guid) !== 1),
			...listings.filter(pair => taken('POST', ...pair) !== 1).map(pair => pair.join(' on '))
		]
		// Printed by `one-run.ts`.
		const states = [...new Set(printed.flatMap(one => JSON.parse(one) as readonly string[]))]
		return {
			killed,
			computers: computers.length,
			listings: listings.length,
			/** How the runs ended. */
			states,
			/** Computers and list items not changed exactly once. */
			wrong
		}
	} finally {
		rmSync(folder, {recursive: true, force: true})
	}
}
