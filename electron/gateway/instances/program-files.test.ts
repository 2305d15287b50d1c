import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from '#base/testing/folder.ts'
import {identityOf, isAlive, ownIdentity} from '#core/store/process-identity.ts'
import {endLeftBehind, openProgramFile} from './run-alone.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(() => void (folder = join(testFolder(), 'programs')))

afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** In its own process group, like managed programs. */
function program() {
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'ignore', detached: true})
	children.push(child)
	return identityOf(child.pid ?? 0)
}

/** A process that has ended. */
async function gone() {
	const child = spawn(process.execPath, ['-e', ''], {stdio: 'ignore'})
	const identity = identityOf(child.pid ?? 0)
	await once(child, 'exit')
	return identity
}

function leave(name: string, content: unknown) {
	mkdirSync(folder, {recursive: true})
	writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

const onTrouble = (message: string, error?: unknown) => expect.fail(`${message} ${String(error)}`)

test('a program of a killed server is ended and reported, and its note removed', async () => {
	const left = program()
	leave('1.json', {owner: await gone(), programs: {edl: left, taxii: await gone()}})
	leave('2.json', 'damaged')
	expect(await endLeftBehind(folder)).toEqual([`Process ${left.pid} was left from a Cordon that was killed; it was ended.`])
	expect(isAlive(left)).toBe(false)
	expect(readdirSync(folder)).toEqual([])
})

test('a program of a server that runs is left alone', async () => {
	const running = program()
	leave('1.json', {owner: ownIdentity(), programs: {edl: running}})
	expect(await endLeftBehind(folder)).toEqual([])
	expect(isAlive(running)).toBe(true)
	expect(readdirSync(folder)).toEqual(['1.json'])
})

test('what runs is noted until its server stops', async () => {
	expect(await endLeftBehind(folder)).toEqual([])
	const file = openProgramFile(folder, onTrouble)
	expect(existsSync(folder)).toBe(false)
	file.put('edl', program())
	expect(readdirSync(folder)).toEqual([`${process.pid}.json`])
	expect(await endLeftBehind(folder)).toEqual([])
	file.put('edl', undefined)
	file.remove()
	expect(readdirSync(folder)).toEqual([])
})
