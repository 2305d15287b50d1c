/** `npm run bench -- api-fuzz`: the long form of the fuzzing of the local API in `npm test`. */
import {startSandbox} from '#sandbox/server.ts'

import {createApp} from '#core/app/app.ts'
import {createProgramLog} from '#base/log.ts'
import {testPorts} from '#base/testing/ports.ts'
import {openApiDocument} from '#core/doors/router.ts'
import {fuzzApi} from '#core/doors/testing/fuzz.ts'
import {gateway} from '#gateway/instances/gateway.ts'

const minutes = 10

export async function benchApiFuzz() {
	const ports = testPorts()
	const sandbox = await startSandbox({port: 0, computers: 500, seed: 'fuzz', agentDelayMs: 0, now: ports.clock.now})
	const app = await createApp(ports, {...{gateway, version: '0.0.0', sandbox, programLog: createProgramLog({level: 'silent'})}})
	const address = (await app.deps.doors.set({on: true, port: 0}, 'cli')).address ?? ''
	const wanted = {name: 'fuzz', connections: ['sandbox'], perMinute: 10_000_000}
	const {token} = app.deps.doors.tokens.create({...wanted, scope: 'change'}, 'cli')
	const {tenant} = sandbox.world
	const until = performance.now() + minutes * 60_000
	const seed = Date.now()
	const {requests, statuses, faults} = await fuzzApi({
		...{document: await openApiDocument(), port: Number(new URL(address).port), token, seed},
		known: {
			connector_guid: tenant.hosts.flatMap(({guid, hostname}) => [guid, hostname]),
			group_guid: tenant.groups.map(({guid}) => guid),
			policy_guid: tenant.policies.map(({guid}) => guid)
		},
		goesOn: () => performance.now() < until
	})
	await app.stop()
	await sandbox.stop()
	ports.remove()
	if (faults.length > 0) process.exitCode = 1
	const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
	return [
		`${requests} requests in ${minutes} minutes, seed ${seed}. ${counts.join(', ')}. Faults: ${faults.length}.`,
		...faults.slice(0, 20)
	].join('\n')
}
