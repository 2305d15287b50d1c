/** Appends that are in flight at the same time: one commit for all of them, and each has its own answer. */
import {join} from 'node:path'

import {CordonError} from '#contract/errors.ts'

import {createWorld} from '#core/store/testing/world.ts'
import {inThread} from '#core/store/async.ts'
import {incidentLog} from './log.ts'
import {openSqliteLog} from './sqlite-log.ts'
import type {IncidentLog, LogRepository, NewEntry} from './types.ts'

let repository: LogRepository
let log: IncidentLog
/** How many entries each commit had. */
let commits: number[]

beforeEach(() => {
	const {folder, ...world} = createWorld()
	commits = []
	const sqlite = openSqliteLog({path: join(folder, 'incidents.db'), ...world, operator: 'ada'})
	repository = {
		...sqlite,
		appendAll: entries => {
			commits.push(entries.length)
			if (entries.some(({message}) => message === 'refused')) throw new CordonError('log_unavailable')
			return sqlite.appendAll(entries)
		}
	}
	log = incidentLog(inThread(repository), world)
})
afterEach(async () => await log.stop())

const note = (message: string): NewEntry => ({kind: 'note', surface: 'cli', message})

test('go to the disk together, in the order in which they came', async () => {
	const added = await Promise.all(Array.from({length: 50}, (_, index) => log.append(note(`entry ${index}`))))
	expect(commits).toEqual([50])
	expect(added.map(({seq, message}) => `${seq} ${message}`)).toEqual(Array.from({length: 50}, (_, index) => `${index + 1} entry ${index}`))
	expect(await log.verify()).toMatchObject({checked: 50, broken: null})
})

test('one that cannot be written is refused alone', async () => {
	const messages = ['first', 'refused', 'last']
	const ends = await Promise.allSettled(messages.map(message => log.append(note(message))))
	expect(ends.map(({status}) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
	expect((await log.query({limit: 10})).entries.map(({message}) => message)).toEqual(['last', 'first'])
})

test('one with credentials in it keeps no other from being written', async () => {
	const secret = {...note('x'), data: {api_key: 'a1b2c3'}}
	const ends = await Promise.allSettled([log.append(secret), log.append(note('kept'))])
	expect(ends.map(({status}) => status)).toEqual(['rejected', 'fulfilled'])
	expect(commits).toEqual([1])
})

test('a stopped log writes earlier entries first', async () => {
	const added = [log.append(note('one')), log.append(note('two'))]
	await log.stop()
	expect((await Promise.all(added)).map(({seq}) => seq)).toEqual([1, 2])
})
