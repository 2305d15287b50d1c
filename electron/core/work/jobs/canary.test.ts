/** The unlock codes that were made and the API key are in no file, no plan, no export and no message. */

import {filesBelow, tracesOf} from '#sandbox/testing/canary.ts'

import {isolate, openWorld, type World} from './testing/world.ts'

let world: World

afterEach(() => world.stop())

test('codes and key are nowhere', async () => {
	world = await openWorld({computers: 200, seed: 'canary'})
	const one = await world.start()
	const targets = world.ready(8)
	world.sandbox.weather.set(['PUT *=drop,after:3,times:1', 'PUT *=500,after:5,times:1'])
	const {id, confirmation} = await one.plan(isolate, targets, {stopShare: 1})
	const plan = await one.jobs.planFile(id)
	await one.jobs.apply({plan: id, confirm: 'expected' in confirmation ? String(confirmation.expected) : '', surface: 'cli'})
	await one.jobs.settled(id)
	const {fleet} = world.sandbox.world
	const codes = targets.flatMap(guid => {
		const host = fleet.find(guid)
		return host === undefined ? [] : (fleet.isolation(host).unlockCode ?? [])
	})
	expect(new Set(codes).size).toBe(7)
	for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{12,24}$/)
	const shown = [
		plan,
		...(await one.jobs.export(id, 'csv')),
		...(await one.jobs.export(id, 'json')),
		JSON.stringify([await one.jobs.get(id), await one.jobs.agreed(id)]),
		JSON.stringify(await one.jobs.receipts({job: id, offset: 0, limit: 500})),
		JSON.stringify(await one.profile.log.query({limit: 1000})),
		one.troubles.join()
	]
	const files = filesBelow(world.ports.profile)
	expect(files.map(({name}) => name)).toEqual(expect.arrayContaining(['runs.db', 'incidents.db']))
	const told = shown.map((content, index) => ({name: `text ${index}`, content}))
	expect(tracesOf([...codes, world.sandbox.apiKey], [...told, ...files])).toEqual([])
})
