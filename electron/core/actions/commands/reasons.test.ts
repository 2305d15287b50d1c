/** The reason: required before a change is sent, and sent to the service with a reference to the log. */

import {refused} from '#base/testing/code-of.ts'
import {readyComputers} from '#sandbox/testing/running.ts'

import {openBench, type Bench} from './testing/bench.ts'

const isolate = 'svc_put_computers_isolation'
let bench: Bench

beforeEach(async () => {
	bench = await openBench({computers: 120, seed: 'reasons', agentDelayMs: 0})
	return bench.close
})

const workstation = () => readyComputers(bench.sandbox)[0] ?? ''

function writes() {
	return bench.sent('PUT').length + bench.sent('DELETE').length
}

test('on production a command line needs a reason too, except for a release', async () => {
	const {url, clientId, apiKey} = bench.sandbox
	const input = {name: 'ACME', url, clientId, apiKey, insecure: false, colour: 'red', readOnly: false} as const
	const {id} = await bench.profile.connections.add({...input, environment: 'production'})
	const line = {connection: id, surface: 'cli', agreement: {}} as const
	const guid = workstation()
	const error = await refused(bench.run(isolate, {connector_guid: guid}, line))
	expect(error).toMatchObject({code: 'confirmation_needed', details: {field: 'reason', fix: 'Say why: on the command line, --reason TEXT'}})
	expect(writes()).toBe(0)
	await bench.run(isolate, {connector_guid: guid, comment: 'Beaconing'}, line)
	await bench.run('svc_delete_computers_isolation', {connector_guid: guid}, line)
	expect(writes()).toBe(2)
})

test('the service gets the reason, the ticket and the end of the entry’s id, which a log search finds', async () => {
	const guid = workstation()
	const agreement = {reason: 'Ransomware', ticket: 'INC-7'}
	const {entry} = await bench.run(isolate, {connector_guid: guid}, {agreement})
	const told = await bench.run('svc_get_computers_isolation', {connector_guid: guid})
	const {comment} = told.data as {comment: string} // the service's own record
	expect(comment).toBe(`Ransomware [INC-7] (Cordon log ${entry.slice(-8)})`)
	const text = /Cordon log (\w+)/.exec(comment)?.[1]
	const found = (await bench.profile.log.query({text, limit: 10})).entries
	expect(found.map(({kind}) => kind).toSorted()).toEqual(['command.requested', 'command.succeeded'])
	expect(found.some(({id}) => id === entry)).toBe(true)
})
