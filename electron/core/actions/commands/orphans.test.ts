/** Changes whose process ended before the outcome, on a real log with real locks. */

import {catalogue} from '#shared/commands/catalogue.ts'
import {CordonError} from '#contract/errors.ts'

import type {Profile} from '#core/app/profile.ts'
import {openTestProfile} from '#core/app/testing/real-profile.ts'
import {testPorts, type TestPorts} from '#base/testing/ports.ts'
import {until} from '#base/testing/until.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import {closeOrphans, watchOrphans, type OrphanDependencies} from './orphans.ts'

let ports: TestPorts
let profile: Profile
const troubles: string[] = []

beforeEach(() => {
	troubles.length = 0
	ports = testPorts()
	profile = openTestProfile(ports)
})
afterEach(async () => {
	await profile.stop()
	ports.remove()
})

const guid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function intent(number: number): NewEntry {
	return {
		kind: 'command.requested',
		surface: 'cli',
		command: 'svc_move_computer',
		args: {connector_guid: guid(number), group_guid: guid(9999)},
		target: {guid: guid(number), label: `host-${number}`},
		connection: {id: 'c1', name: 'one', url: 'https://one.example'},
		message: 'Move a computer.'
	}
}

/** A change with its outcome logged. */
async function carriedOut(number: number) {
	const {id} = await profile.log.append(intent(number))
	await profile.log.append({...intent(number), kind: 'command.succeeded', about: id, args: null})
}

function parts(): OrphanDependencies {
	const {log, locks, escrow} = profile
	return {log, locks, codes: escrow.codes, onTrouble: message => void troubles.push(message)}
}

test('are found however many changes came after them', async () => {
	const {id} = await profile.log.append(intent(1))
	for (let number = 2; number <= 602; number += 1) await carriedOut(number)
	expect(await closeOrphans(parts())).toBe(1)
	expect((await profile.log.query({limit: 1})).entries).toMatchObject([
		{kind: 'command.outcome_unknown', about: id, surface: 'cli', target: {label: 'host-1'}}
	])
	expect(await closeOrphans(parts())).toBe(0)
})

test('are changes: a lost query changed nothing', async () => {
	await profile.log.append({...intent(1), command: 'svc_get_computer'})
	expect(await closeOrphans(parts())).toBe(0)
})

test('a change that holds its lock is left alone, and checked again later', async () => {
	const ended = new AbortController()
	const target = `computer ${guid(1)}`
	const release = profile.locks.acquire({connection: 'c1', target, command: 'svc_move_computer', intent: 'i1'})
	const {id} = await profile.log.append(intent(1))
	const watching = watchOrphans(parts(), ports.clock, ended.signal)
	await ports.clock.advance(60_000)
	expect(await profile.log.thread(id)).toHaveLength(1)
	release()
	await ports.clock.advance(15_000)
	expect(await profile.log.thread(id)).toMatchObject([{kind: 'command.outcome_unknown'}, {id}])
	ended.abort()
	await watching
	await profile.log.append(intent(2))
	await ports.clock.advance(60_000)
	expect((await profile.log.query({limit: 1})).entries).toMatchObject([{kind: 'command.requested'}])
})

test('an outcome written meanwhile is kept', async () => {
	const {id} = await profile.log.append(intent(1))
	const succeeded = {...intent(1), kind: 'command.succeeded', about: id, args: null} as const
	const isHeld = () => {
		profile.note(succeeded)
		return false
	}
	expect(await closeOrphans({...parts(), locks: {isHeld}})).toBe(0)
	expect(await profile.log.thread(id)).toMatchObject([{kind: 'command.succeeded'}, {id}])
})

test('a log that cannot be written is tried again', async () => {
	const {id} = await profile.log.append(intent(1))
	let isFull = true
	const appendOnce: OrphanDependencies['log']['appendOnce'] = async (...entry) => {
		if (isFull) throw new CordonError('log_unavailable')
		return await profile.log.appendOnce(...entry)
	}
	const ended = new AbortController()
	const log = {appendOnce, openChanges: () => profile.log.openChanges()}
	void watchOrphans({...parts(), log}, ports.clock, ended.signal)
	await until('the first look', () => troubles.length === 1)
	await ports.clock.advance(15_000)
	await until('the second look', () => troubles.length === 2)
	expect(await profile.log.thread(id)).toHaveLength(1)
	isFull = false
	await ports.clock.advance(15_000)
	await until('the outcome', async () => (await profile.log.thread(id)).length === 2)
	ended.abort()
})

test('the code of a lost isolation counts as possibly in use', async () => {
	const {codes} = profile.escrow
	const {id} = await profile.log.append({...intent(1), command: 'svc_put_computers_isolation'})
	const code = codes.make()
	await codes.seal({id, connection: {id: 'c1', name: 'one'}, guid: guid(1), label: 'host-1', made: 'generated', code})
	expect(await closeOrphans(parts())).toBe(1)
	await until('the code is settled', () => codes.list()[0]?.state === 'unknown')
	expect(await codes.open(id)).toBe(code)
})

test('every command that changes something locks one object', () => {
	const names = ['connector_guid', 'group_guid', 'file_list_guid', 'policy_guid']
	const unlocked = catalogue.filter(({risk, args}) => risk !== 'read' && !names.some(name => name in args))
	expect(unlocked.map(({name}) => name)).toEqual([])
})
