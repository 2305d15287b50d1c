import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'

import {freePort} from '#base/testing/port.ts'
import {testFolder} from '#base/testing/folder.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {identityOf, isAlive, ownIdentity} from '#core/store/process-identity.ts'
import {until} from '#base/testing/until.ts'
import {endOrphans} from './orphans.ts'
import {listProcesses, putProcess} from './state-rows.ts'

let profile: string
let port: number
const consoles: ChildProcess[] = []

beforeEach(async () => {
	profile = testFolder()
	port = await freePort()
})

afterEach(() => {
	for (const console of consoles.splice(0)) console.kill('SIGKILL')
})

/** Resolves when its instance is healthy. */
async function startConsole(behaviour = 'plain') {
	const script = fileURLToPath(new URL('./testing/console-process.ts', import.meta.url))
	const child = spawn(process.execPath, [script, profile, String(port), behaviour], {stdio: ['ignore', 'pipe', 'inherit']})
	consoles.push(child)
	const [line] = await once(child.stdout, 'data')
	expect(String(line)).toBe('healthy\n')
	return child
}

async function program() {
	const response = await fetch(`http://127.0.0.1:${port}/`)
	const {pid} = (await response.json()) as {pid: number}
	return identityOf(pid)
}

test('a program whose console was killed is ended by the next one, which starts its own', async () => {
	const first = await startConsole()
	const orphan = await program()
	first.kill('SIGKILL')
	await once(first, 'exit')
	expect(isAlive(orphan)).toBe(true)
	const second = await startConsole()
	expect(isAlive(orphan)).toBe(process.platform !== 'linux')
	const own = await program()
	expect(own.pid).not.toBe(orphan.pid)
	second.kill('SIGTERM')
	await once(second, 'exit')
	expect(isAlive(own)).toBe(false)
})

test.runIf(process.platform === 'linux')('a child that outlives its program, whose console was killed, is ended too', async () => {
	const first = await startConsole('parent')
	const child = await program()
	first.kill('SIGKILL')
	await once(first, 'exit')
	const database = openProfileDatabase(profile)
	const [orphan] = listProcesses(database)
	if (orphan === undefined) throw new Error('It is not recorded.')
	process.kill(orphan.pid, 'SIGKILL')
	await until('its end', () => !isAlive(orphan))
	// Its number alone proves nothing.
	putProcess(database, 'another', orphan)
	putProcess(database, orphan.instance, undefined)
	expect(await endOrphans(database, 50)).toEqual([])
	expect(isAlive(child)).toBe(true)
	putProcess(database, orphan.instance, orphan)
	database.close()
	const second = await startConsole('parent')
	expect(isAlive(child)).toBe(false)
	second.kill('SIGTERM')
	await once(second, 'exit')
})

test('a process that only has the number of the one recorded is left alone', async () => {
	const database = openProfileDatabase(profile)
	const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore'})
	consoles.push(other)
	const {pid = 0} = other
	const {started} = ownIdentity()
	putProcess(database, 'one', {pid, started})
	putProcess(database, 'two', {pid, started: ''})
	const told = await endOrphans(database, 50)
	expect(told).toEqual([expect.stringContaining('end it by hand')])
	expect(isAlive(identityOf(pid))).toBe(true)
	expect(listProcesses(database)).toEqual([])
	database.close()
})
