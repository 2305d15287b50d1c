/** Real processes on one `runs.db`, killed with SIGKILL at any point. */
import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {testFolder} from '#base/testing/folder.ts'
import {openRunRepository} from './sqlite.ts'

const survivor = fileURLToPath(new URL('testing/survivor.ts', import.meta.url))
const changes = [...Array.from({length: 80}, (_, place) => `parent ${Math.floor(place / 10)}.${place % 10}`), 'child only']

let folder: string

beforeEach(() => void (folder = testFolder()))

function start(mostChanges = Infinity) {
	return spawn(process.execPath, [survivor, folder, String(mostChanges)], {stdio: ['ignore', 'pipe', 'inherit']})
}

/** The exit code: 0 when the process finished the run. */
async function ended(one: ChildProcess) {
	const [code, signal] = await once(one, 'close')
	return code ?? signal
}

/** Kills both after this many changes by either. */
async function killBoth(pair: ChildProcess[], after: number) {
	let seen = 0
	const reached = Promise.withResolvers<void>()
	for (const {stdout} of pair)
		stdout?.on('data', (chunk: Buffer) => {
			seen += chunk.toString().split('\n').length - 1
			if (seen >= after) reached.resolve()
		})
	const over = pair.map(one => once(one, 'close'))
	await Promise.race([reached.promise, ...over])
	for (const one of pair) one.kill('SIGKILL')
}

function check() {
	const runs = openRunRepository(folder)
	try {
		const {rows} = runs.runs({offset: 0, limit: 9})
		expect(rows.map(({kind, state}) => [kind, state]).toSorted()).toEqual([
			['child', 'done'],
			['parent', 'done']
		])
		expect(readFileSync(join(folder, 'world.txt'), 'utf8').trimEnd().split('\n').toSorted()).toEqual(changes.toSorted())
		const run = runs.run('r1')
		expect(run?.output).toEqual(changes)
		return {epoch: run?.epoch ?? 0}
	} finally {
		runs.close()
	}
}

test('two at a time, killed again and again: each change is made once, and the run comes to its end', async () => {
	for (let round = 0; round < 8; round += 1) {
		const pair = [start(1 + round), start(1 + round)]
		const ends = Promise.all(pair.map(ended))
		await killBoth(pair, 1 + round)
		expect(await ends).toEqual(['SIGKILL', 'SIGKILL'])
	}
	expect(await Promise.all([start(), start()].map(ended))).toEqual([0, 0])
	expect(check().epoch).toBeGreaterThanOrEqual(9)
})

test('one of two is killed: the other takes the run over and ends it', async () => {
	const first = start(15)
	const firstEnd = ended(first)
	await once(first.stdout ?? first, 'data')
	const second = ended(start())
	first.kill('SIGKILL')
	expect([await firstEnd, await second]).toEqual(['SIGKILL', 0])
	expect(check().epoch).toBe(2)
})
