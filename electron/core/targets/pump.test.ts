import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'

import {targetSchema} from '#model/target.ts'

import {testFolder} from '#base/testing/folder.ts'
import {makeTargetWorld} from './testing/world.ts'
import {startPump} from './pump.ts'
import {openTargetStore} from './store.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('a target with nothing to send takes no more memory the longer it waits', async () => {
	const world = await makeTargetWorld()
	const to = {kind: 'file', path: join(testFolder(), 'out')}
	const definition = targetSchema.parse({name: 'file', to, log: {}})
	const {id, state} = (await world.targets().save({definition})).target
	let looks = 0
	const sleep = async () => {
		looks += 1
		await setImmediate()
	}
	const {profile, store} = world
	const pump = startPump(
		{
			...{clock: {now: () => 0, monotonic: () => 0, sleep}, random: () => new Uint8Array(1), secret: async () => undefined},
			...{log: profile.log, events: () => store, onChange: () => undefined, tell: () => undefined},
			store: openTargetStore(profile.database),
		},
		{id, definition, state, createdAt: '', revision: 1},
	)
	const used = async (after: number) => {
		while (looks < after) await setImmediate()
		collect()
		return process.memoryUsage().heapUsed
	}
	const before = await used(2000)
	expect((await used(32_000)) - before).toBeLessThan(4_000_000)
	await pump.stop()
	await world.stop()
})
