/** A process that contains computers and blocks hashes by library playbooks, or continues that. */
import {text} from 'node:stream/consumers'
import {setTimeout} from 'node:timers/promises'

import {CordonError} from '#contract/errors.ts'

import {RunTaken} from '#core/engine/ends.ts'
import {containEndpoint, library} from '../library.ts'
import {openRealPlaybooks} from './real-process.ts'

const [folder = '', url = '', clientId = ''] = process.argv.slice(2)
const [apiKey = '', computers = '', hashes = ''] = (await text(process.stdin)).split('\n')
const {playbooks, connection, stop} = openRealPlaybooks(folder, {url, clientId, apiKey}, library)

async function begin(playbook: string, name: string, value: string) {
	const variables = {[name]: value, __reason__: 'Drill'}
	try {
		return (await playbooks.start({playbook, connection, variables, key: value})).id
	} catch (error) {
		if (error instanceof RunTaken) return error.run
		throw error
	}
}

/** Another process may be faster. */
async function tolerated(work: Promise<unknown>) {
	await work.catch((error: unknown) => {
		if (!(error instanceof CordonError)) throw error
	})
}

const runs: string[] = []
for (const guid of computers.split(',')) runs.push(await begin(containEndpoint, '__computer__', guid))
for (const hash of hashes.split(',')) runs.push(await begin('Block a hash everywhere', '__sha256__', hash))
const states = new Map<string, string>()
while (states.size < runs.length) {
	for (const id of runs) {
		const {state, endedAt, because} = await playbooks.run(id)
		if (endedAt !== null) states.set(id, because ?? state)
		else if (state === 'waiting') await tolerated(playbooks.answer(id, undefined, 'yes', null))
		else if (state === 'interrupted') await tolerated(playbooks.resume(id))
	}
	await setTimeout(10)
}
process.stdout.write(JSON.stringify([...new Set(states.values())]))
await stop()
