import {startSandbox, type Sandbox} from '#sandbox/server.ts'

import {createBus} from '#base/bus.ts'

import {tellEndsOfJobs} from './duties.ts'
import {isolate, openWorld, type World} from '#core/work/jobs/testing/world.ts'
import {until} from '#base/testing/until.ts'
import type {RaisedNotice} from '#core/service/settings/notices.ts'

let world: World<Sandbox>

afterEach(() => world.stop())

test('the end of a job is announced once, with its result', async () => {
	world = await openWorld(now => startSandbox({port: 0, computers: 120, seed: 'notices', now}))
	const {jobs, carryOut} = await world.start()
	const raised: RaisedNotice[] = []
	const bus = createBus(expect.unreachable)
	const notices = {raise: (notice: RaisedNotice) => (raised.push(notice), () => undefined)}
	tellEndsOfJobs({bus, jobs, notices, onTrouble: expect.unreachable})
	const stop = jobs.onChange((connection, job) => bus.emit({kind: 'job.changed', connection, job}))
	const {id} = await carryOut(isolate, world.ready(3))
	await until('the end is told', () => raised.length > 0)
	expect(raised).toEqual([
		{
			...{kind: 'job_finished', title: 'Job ended: Isolate 3 computers', body: '3 done.', open: `/jobs/${id}`},
			...{urgency: 'know', connection: 'sandbox'},
		},
	])
	stop()
})
