import {createBus} from '#base/bus.ts'

import {lookAfterApprovals, tellEndsOfJobs, watchAttention} from './duties.ts'
import {isolate, openWorld} from '#core/work/jobs/testing/world.ts'
import {testPorts} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'
import {testClock} from '#core/service/api/testing/clock.ts'
import {startWorld} from '#gateway/instances/testing/app.ts'
import type {RaisedNotice} from '#core/service/settings/notices.ts'

test('the end of a job is announced once, with its result', async () => {
	const world = await openWorld({computers: 120, seed: 'notices'})
	const {jobs, carryOut} = await world.start()
	const raised: RaisedNotice[] = []
	const bus = createBus(expect.unreachable)
	const notices = {raise: (notice: RaisedNotice) => (raised.push(notice), () => {})}
	tellEndsOfJobs({bus, jobs, notices, onTrouble: expect.unreachable})
	const stop = jobs.onChange((connection, job) => bus.emit({kind: 'job.changed', connection, job}))
	const {id} = await carryOut(isolate, world.ready(3))
	await until('the end is told', () => raised.length > 0)
	expect(raised).toEqual([
		{
			...{kind: 'job_finished', title: 'Job ended: Isolate 3 computers', body: '3 done.', open: `/jobs/${id}`},
			...{urgency: 'know', connection: 'sandbox'}
		}
	])
	stop()
	await world.stop()
})

test('a request whose content is replaced is announced again, and the former notice is taken back', () => {
	const bus = createBus(expect.unreachable)
	const raised: string[] = []
	const raise = (told: RaisedNotice) => (raised.push(told.title), () => void raised.push(`${told.title} is gone`))
	const pending = {id: 'a', state: 'pending', connection: {id: 'c'}, requester: 'kim'}
	let title = ''
	const ended = new AbortController()
	const ports = testPorts()
	lookAfterApprovals({
		...{bus, ended, ports, notices: {raise}, onTrouble: expect.unreachable},
		profile: {approvals: {list: () => [{...pending, title, digest: title} as never], sweep: async () => {}}}
	})
	for (title of ['One', 'One', 'Two']) bus.emit({kind: 'approvals.changed'})
	ended.abort()
	ports.remove()
	expect(raised).toEqual(['Approval needed: One', 'Approval needed: Two', 'Approval needed: One is gone'])
})

test('a connection whose overview fails keeps no later one from being watched', async () => {
	const {ports, app, stop} = await startWorld({computers: 60, seed: 'watched'})
	await app.inventory('sandbox').refresh()
	const found = app.deps.connections.find('sandbox')
	const raised: RaisedNotice[] = []
	const troubles: unknown[] = []
	const ended = new AbortController()
	const clock = testClock()
	watchAttention({
		...{...app.deps, ended, pages: {ids: () => ['gone', 'sandbox'], tell: () => undefined}},
		ports: {...ports, clock},
		connections: {...app.deps.connections, list: () => [{...found, id: 'gone'}, found]},
		notices: {raise: notice => (raised.push(notice), () => undefined)},
		onTrouble: (_message, error) => void troubles.push(error)
	})
	await clock.advance(60_000)
	await until('the other is watched', () => raised.length > 0)
	ended.abort()
	expect(raised[0]?.connection).toBe('sandbox')
	expect(troubles[0]).toMatchObject({code: 'unknown_connection'})
	await stop()
})
