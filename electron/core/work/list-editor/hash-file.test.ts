import {execFileSync} from 'node:child_process'
import {hash, randomBytes} from 'node:crypto'
import {appendFileSync, mkdirSync, readdirSync, readlinkSync, truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import type {HashStep} from '#contract/editor.ts'

import {hashFile} from './hash-file.ts'

let folder: string

beforeEach(() => void (folder = testFolder()))

/** Of this process; others may close theirs while they are listed. */
function openFiles() {
	const folder = '/proc/self/fd'
	return readdirSync(folder).flatMap(number => {
		try {
			return [readlinkSync(join(folder, number))]
		} catch {
			return []
		}
	})
}

function file(name: string, content: Uint8Array | string) {
	const path = join(folder, name)
	writeFileSync(path, content)
	return path
}

/** Each look is a second later, so that every piece is reported. */
function ticking() {
	let now = 0
	return () => (now += 1000)
}

async function stepsOf(path: string, signal?: AbortSignal) {
	const steps: HashStep[] = []
	for await (const step of hashFile(path, {signal, now: ticking()})) steps.push(step)
	return steps
}

test.each([
	['the empty file', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
	['"abc" (FIPS 180-4)', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad']
])('%s', async (_what, content, sha256) => {
	expect((await stepsOf(file('a', content))).at(-1)).toEqual({kind: 'hashed', sha256})
})

test('a file of several pieces reports progress, and has the hash of the whole', async () => {
	const bytes = randomBytes(5 * 1024 * 1024 + 7)
	const steps = await stepsOf(file('big', bytes))
	const told = steps.flatMap(step => (step.kind === 'progress' ? [step.bytes] : []))
	expect(told).toEqual(told.toSorted((one, other) => one - other))
	expect([told.length, told.at(-1)]).toEqual([6, bytes.byteLength])
	expect(steps.at(-1)).toEqual({kind: 'hashed', sha256: hash('sha256', bytes, 'hex')})
})

/** A sparse file of ten gigabytes, too long to wait for. */
function endless() {
	const path = file('endless', '')
	truncateSync(path, 10 * 1024 ** 3)
	return path
}

test('aborted, it ends at once with no hash', async () => {
	const stop = new AbortController()
	const steps: HashStep[] = []
	const reading = async () => {
		for await (const step of hashFile(endless(), {signal: stop.signal, now: ticking()})) {
			steps.push(step)
			stop.abort()
		}
	}
	await expect(reading()).rejects.toMatchObject({code: 'cancelled'})
	expect(steps.length).toBeLessThan(10)
	expect(steps.every(({kind}) => kind === 'progress')).toBe(true)
})

test.runIf(process.platform === 'linux')('whoever stops listening ends the reading, and the file is closed', async () => {
	const path = endless()
	for await (const step of hashFile(path, {now: ticking()})) {
		expect(step.kind).toBe('progress')
		break
	}
	expect(openFiles()).not.toContain(path)
})

test.runIf(process.platform !== 'win32')('what is no file, or not there, is told without its path', async () => {
	mkdirSync(join(folder, 'folder'))
	execFileSync('mkfifo', [join(folder, 'pipe')])
	for (const [name, words] of [
		['folder', 'regular'],
		['pipe', 'regular'],
		['gone', 'not there']
	] as const) {
		const failed: unknown = await stepsOf(join(folder, name)).catch((error: unknown) => error)
		expect(failed).toMatchObject({code: 'invalid_argument', message: expect.stringContaining(words)})
		expect(String((failed as Error).message)).not.toContain(folder)
	}
})

test('a file that changes while it is read has no hash', async () => {
	const path = file('growing', randomBytes(3 * 1024 * 1024))
	const reading = async () => {
		for await (const step of hashFile(path, {now: ticking()})) if (step.kind === 'progress') appendFileSync(path, 'x')
	}
	await expect(reading()).rejects.toThrow('changed while it was read')
})
