import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {writeConsoleFile} from './console-file.ts'
import {lockProfile} from './instance-lock.ts'
import {isHeld, tryLockFile} from './lock-file.ts'
import {createWorld, type World} from './testing/world.ts'

let world: World
beforeEach(() => {
	world = createWorld()
})

describe('the lock of a profile', () => {
	const lockPath = () => join(world.folder, 'console.lock')

	test('is held by one console at a time and free again afterwards', () => {
		const lock = lockProfile(world.folder)
		expect(() => lockProfile(world.folder)).toThrow(`Another console (process ${process.pid}) already runs`)
		const forget = writeConsoleFile(world.folder, 'http://127.0.0.1:4717/')
		expect(() => lockProfile(world.folder)).toThrow('It is at http://127.0.0.1:4717/ for')
		forget()
		lock.release()
		lockProfile(world.folder).release()
		expect(readdirSync(world.folder)).toEqual([])
	})

	test('is taken over from a process that is gone', async () => {
		const child = spawn(process.execPath, ['-e', ''])
		await once(child, 'exit')
		writeFileSync(lockPath(), JSON.stringify({pid: child.pid, started: ''}))
		expect(() => lockProfile(world.folder).release()).not.toThrow()
	})

	test.runIf(process.platform === 'linux')('is taken over from another process that had the same pid', () => {
		writeFileSync(lockPath(), JSON.stringify({pid: process.pid, started: 'another boot'}))
		expect(() => lockProfile(world.folder).release()).not.toThrow()
	})

	test.each(['not json', 'null', '{"pid":1}'])('is taken over when its file is damaged, also after a takeover that was cut off: %s', text => {
		writeFileSync(lockPath(), text)
		writeFileSync(`${lockPath()}.takeover`, '')
		utimesSync(`${lockPath()}.takeover`, 0, 0)
		lockProfile(world.folder).release()
		expect(readdirSync(world.folder)).toEqual([])
	})

	test('is not released by a former holder', () => {
		const lock = lockProfile(world.folder)
		const other = JSON.stringify({pid: 1, started: ''})
		writeFileSync(lockPath(), other)
		lock.release()
		expect(existsSync(lockPath())).toBe(true)
	})

	test.runIf(process.platform === 'linux')('leaves nothing behind on a full disk', () => {
		symlinkSync('/dev/full', `${lockPath()}.${process.pid}`)
		expect(() => lockProfile(world.folder)).toThrow('ENOSPC')
		expect(readdirSync(world.folder)).toEqual([])
	})

	test('says why a folder cannot be locked', () => {
		expect(() => lockProfile(join(world.folder, 'missing'))).toThrow('The profile cannot be locked')
	})
})

test('only one of many processes takes over a stale lock', async () => {
	const path = join(world.folder, 'lock')
	writeFileSync(path, JSON.stringify({pid: 2 ** 22 + 1, started: ''}))
	const script = `
    const { tryLockFile, isHeld } = await import(${JSON.stringify(new URL('./lock-file.ts', import.meta.url).href)});
    process.stdout.write(isHeld(tryLockFile(${JSON.stringify(path)})) ? 'held' : 'refused');
    process.stdin.resume();`
	const children = Array.from({length: 4}, () => spawn(process.execPath, ['--input-type=module', '-e', script]))
	const answers = await Promise.all(children.map(async child => String((await once(child.stdout, 'data'))[0])))
	for (const child of children) child.stdin.end()
	await Promise.all(children.map(child => once(child, 'exit')))
	expect(answers.toSorted()).toEqual(['held', 'refused', 'refused', 'refused'])
	expect(isHeld(tryLockFile(path))).toBe(true)
	// While another one is at it, nobody else is.
	writeFileSync(path, JSON.stringify({pid: 2 ** 22 + 1, started: ''}))
	writeFileSync(`${path}.takeover`, '')
	expect(() => tryLockFile(path)).toThrow('stays taken')
})
