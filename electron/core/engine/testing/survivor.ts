/**
 * A process that carries out one run, or waits until it can take it over, and prints a line for each change. Started by tests.
 */
import {appendFileSync, existsSync, readFileSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {setImmediate, setTimeout} from 'node:timers/promises'

import {CordonError} from '#contract/errors.ts'
import {systemClock, systemRandom} from '#base/system.ts'
import {createEngine} from '../engine.ts'
import {inThread} from '#core/store/async.ts'
import {openRunRepository} from '../sqlite.ts'
import type {Program, RunContext} from '../types.ts'

/** After this many changes it hangs, and waits to be killed. */
const [folder = '', mostChanges = 'Infinity'] = process.argv.slice(2)
const world = join(folder, 'world.txt')
let left = Number(mostChanges)

/** The timer keeps the process alive. */
function hang(): Promise<never> {
	return new Promise(() => void setInterval(() => {}, 2 ** 30))
}

function made() {
	return existsSync(world) ? readFileSync(world, 'utf8').trimEnd().split('\n') : []
}

async function change(context: RunContext, id: string) {
	const name = `${context.run.kind} ${id}`
	return await context.step({
		id,
		act: async () => {
			await setImmediate()
			if ((left -= 1) < 0) await hang()
			appendFileSync(world, `${name}\n`)
			writeSync(1, `${name}\n`)
			await setImmediate()
			return name
		},
		reconcile: async () => (made().includes(name) ? {output: name} : undefined)
	})
}

const child: Program = {kind: 'child', version: 1, run: async context => ({output: await change(context, 'only')})}

const parent: Program = {
	kind: 'parent',
	version: 1,
	run: async context => {
		const output: string[] = []
		for (let wave = 0; wave < 8; wave += 1) {
			const steps = Array.from({length: 10}, (_, place) => () => change(context, `${wave}.${place}`))
			output.push(...(await context.all(steps)))
			await context.sleep(`after ${wave}`, 1)
		}
		output.push(String(await context.child({id: 'child', kind: 'child', title: 'Child'})))
		return {output}
	}
}

function ignore(...codes: readonly string[]) {
	return (error: unknown) => {
		if (!(error instanceof CordonError) || !codes.includes(error.code)) throw error
	}
}

const store = inThread(openRunRepository(folder))
const engine = createEngine({
	...{store, clock: systemClock, random: systemRandom, programs: [parent, child], watchEveryMs: 20},
	onTrouble: (message, error) => void writeSync(2, `${message} ${String(error)}\n`)
})
await engine.begin({kind: 'parent', id: 'r1', title: 'Parent', startedBy: 'kim'}).then(() => null, ignore('taken'))
// Its owner can be killed at any moment.
for (let looks = 0; looks < 5000 && (await engine.get('r1'))?.endedAt === null; looks += 1) {
	await engine.resume('r1').catch(ignore('busy', 'usage'))
	await engine.settled('r1')
	await setTimeout(2)
}
await engine.stop()
await store.close()
