/** A log that was cut, emptied, deleted or replaced under a running program, or between two runs of it. */
import {copyFileSync, existsSync, readdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'

import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'
import type {Profile} from '#core/app/profile.ts'
import {openTestProfile} from '#core/app/testing/real-profile.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {anchorsIn} from './anchor.ts'
import type {NewEntry} from './types.ts'

let ports: TestPorts
let profile: Profile
let path: string

beforeEach(() => {
	ports = testPorts()
	path = join(ports.profile, 'incidents.db')
	profile = openTestProfile(ports)
	// As every profile has it that was used once.
	openProfileDatabase(ports.profile).close()
})
afterEach(async () => {
	await profile.stop()
	ports.remove()
})

async function again(between = () => {}) {
	await profile.stop()
	between()
	profile = openTestProfile(ports)
}

const note = (message: string): NewEntry => ({kind: 'note', surface: 'cli', message})

async function fill(count: number) {
	for (let index = 1; index <= count; index += 1) await profile.log.append(note(`entry ${index}`))
}

const broken = async () => (await profile.log.verify()).broken

function removeLog() {
	for (const name of readdirSync(ports.profile)) if (name.startsWith('incidents')) rmSync(join(ports.profile, name))
}

const unwritten = (what: string) => expect.objectContaining({code: 'log_unavailable', message: expect.stringContaining(what)})

describe('under a running program', () => {
	test('a log that was deleted takes no entry, and does not come back empty', async () => {
		await fill(2)
		removeLog()
		await expect(profile.log.append(note('lost'))).rejects.toEqual(unwritten('was deleted or moved away'))
		expect(() => profile.note(note('lost'))).toThrow(unwritten('was deleted or moved away'))
		expect(existsSync(path)).toBe(false)
	})

	test('one that was replaced takes no entry; the file itself, put back, does', async () => {
		await fill(2)
		const kept = join(ports.profile, 'kept')
		renameSync(path, kept)
		copyFileSync(kept, path)
		await expect(profile.log.append(note('beside it'))).rejects.toEqual(unwritten('was replaced by another file'))
		renameSync(kept, path)
		expect((await profile.log.append(note('again'))).seq).toBe(3)
	})
})

describe('between two runs', () => {
	test('a log that is as it was holds', async () => {
		await fill(3)
		await again()
		await fill(1)
		expect(await profile.log.verify()).toMatchObject({checked: 4, broken: null})
	})

	test('one cut to nothing is reported, with its earlier length and time', async () => {
		await fill(3)
		await again(removeLog)
		expect(await broken()).toMatchObject({seq: 1, what: expect.stringMatching(/^the log was longer: on .* had 3 entries; .* --begin-anew /)})
	})

	test('one replaced by another of the same length is reported', async () => {
		await fill(3)
		await again(removeLog)
		await fill(5)
		expect(await broken()).toMatchObject({seq: 3, what: expect.stringContaining('replaced')})
		// The longer one must not become the one that is remembered.
		await again()
		await fill(1)
		expect(await broken()).not.toBeNull()
	})

	test('one started anew on purpose is valid from there, and says so', async () => {
		await fill(3)
		await again(removeLog)
		expect(await profile.log.beginAnew('moved to the archive', 'cli')).toMatchObject({
			seq: 1,
			message: 'The log is begun anew: moved to the archive',
			data: {was: {seq: 3}}
		})
		expect(await broken()).toBeNull()
		await again()
		expect(await broken()).toBeNull()
	})
})

test('what another process remembered is never shortened', () => {
	const database = openProfileDatabase(ports.profile)
	const anchors = anchorsIn(work => work(database))
	for (const seq of [7, 5]) anchors.write({seq, hash: `${seq}`, at: ''})
	expect(anchors.read()).toMatchObject({seq: 7, hash: '7'})
	database.close()
})

test('the remembered state lags a minute at most, and never leads', async () => {
	const kept = () => {
		const database = openProfileDatabase(ports.profile)
		const seq = database.get<{seq: number}>('SELECT seq FROM log_anchor')?.seq ?? 0
		database.close()
		return seq
	}
	await fill(2)
	expect(kept()).toBe(0)
	await ports.clock.advance(59_000)
	await fill(1)
	expect(kept()).toBe(0)
	await ports.clock.advance(1000)
	await fill(1)
	await until('what was due is held', () => kept() === 4)
	await fill(1)
	await profile.log.holdEnd()
	expect(kept()).toBe(5)
	const {now} = ports.clock
	ports.clock.now = () => now() - 3_600_000
	await ports.clock.advance(60_000)
	await fill(1)
	await until('it is held by a clock that was set back, too', () => kept() === 6)
	await fill(1)
	await profile.stop()
	expect(kept()).toBe(7)
})
