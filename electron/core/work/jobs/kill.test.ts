import {testFolder} from '#base/testing/folder.ts'
import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {random} from '#sandbox/tenant/random.ts'
import {readyComputers} from '#sandbox/testing/running.ts'

import {killedThenTogether, killLoop} from './testing/kill-loop.ts'

let folder: string
let sandbox: Sandbox

beforeEach(async () => {
	folder = testFolder()
	sandbox = await startSandbox({port: 0, computers: 200, seed: 'kill', agentDelayMs: 20, quota: 1_000_000})
})
afterEach(() => sandbox.stop())

function taken(guid: string) {
	return sandbox.requests.filter(({method, path, status}) => method === 'PUT' && path.includes(guid) && status === 200).length
}

/** The long form, 50 kills over 300 computers, is `npm run bench -- kill`. */
test('killed five times at any point, every computer ends isolated, exactly once, and the receipts say so', async () => {
	const {fleet, tenant} = sandbox.world
	const targets = readyComputers(sandbox, 30)
	const dice = random('kill', 1)
	const end = await killLoop({folder, service: sandbox, targets, kills: 5, mostChanges: 6, random: () => dice.int(1000) / 1000})
	expect(end.killed).toBe(5)
	expect(end).toMatchObject({phase: 'done', because: null, counts: {done: 30}})
	expect(end.receipts.map(({id, outcome, observed}) => [id, outcome, observed]).toSorted()).toEqual(
		targets.map(guid => [guid, 'done', 'isolated']).toSorted()
	)
	expect(targets.map(taken)).toEqual(targets.map(() => 1))
	expect(
		tenant.hosts
			.filter(host => fleet.state(host).isolation !== undefined)
			.map(({guid}) => guid)
			.toSorted()
	).toEqual(targets.toSorted())
})

test('of three processes that find the job of a killed one at the same moment, one goes on with it', async () => {
	const targets = readyComputers(sandbox, 20)
	const loop = {folder, service: sandbox, targets, kills: 0, mostChanges: 3, random: () => 0.5}
	const ends = await killedThenTogether(loop, 3)
	expect(ends.filter(({phase}) => phase === 'done')).toMatchObject([{because: null, counts: {done: 20}}])
	expect(targets.map(taken)).toEqual(targets.map(() => 1))
	const sent = sandbox.requests.filter(({method}) => method === 'PUT')
	// The first process may have sent four whose answers it did not hear; one more of each is all there may be.
	expect(sent.length).toBeLessThanOrEqual(24)
})
