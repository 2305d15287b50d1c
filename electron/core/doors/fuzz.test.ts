import {startWorld} from '#gateway/instances/testing/app.ts'
import {openApiDocument} from './router.ts'
import {fuzzApi} from './testing/fuzz.ts'

test('requests of all kinds: no 500, and each answer is as the document says', async () => {
	const {sandbox, app, stop} = await startWorld({computers: 60, seed: 'fuzz', agentDelayMs: 0})
	const address = (await app.deps.doors.set({on: true, port: 0}, 'cli')).address ?? ''
	const {tenant} = sandbox.world
	const {token} = app.deps.doors.tokens.create({name: 'fuzz', scope: 'change', connections: ['sandbox'], perMinute: 1_000_000}, 'cli')
	const found = await fuzzApi({
		...{document: await openApiDocument(), port: Number(new URL(address).port), token, seed: 16},
		known: {
			connector_guid: tenant.hosts.slice(0, 20).flatMap(({guid, hostname}) => [guid, hostname]),
			group_guid: tenant.groups.map(({guid}) => guid),
			policy_guid: tenant.policies.map(({guid}) => guid)
		},
		goesOn: done => done < 400
	})
	const told = await fetch(`${address}/api/v1/openapi.json`, {headers: {authorization: `Bearer ${token}`}})
	expect(await told.json()).toMatchObject({servers: [{url: '/api/v1'}]})
	await stop()
	expect(found.faults).toEqual([])
	expect(Object.keys(found.statuses)).toEqual(expect.arrayContaining(['200', '202', '400', '404']))
	expect(found.statuses[200]).toBeGreaterThan(50)
})
