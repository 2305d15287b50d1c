import {createHash} from 'node:crypto'

import type {FileListRow, KnownHash} from '#contract/directory.ts'

import {findingsOf, isDangerous, isStopped, type CheckInput} from './checks.ts'

const of = (text: string, kind = 'sha256') => createHash(kind).update(text).digest('hex')
const hash = of('a file')

const list: FileListRow = {
	guid: 'bad',
	name: 'Known bad files',
	type: 'simple_custom_detections',
	items: 3,
	itemsRead: {read: 3, of: 3, at: 'now', running: false},
	policies: [],
	covered: 12,
	problem: null,
	vanishedAt: null
}
const allowed: FileListRow = {...list, guid: 'good', name: 'Our tools', type: 'allowed_applications'}
const item = {sha256: hash, description: 'Old note', source: '', firstSeen: null}
const unseen: KnownHash['seen'] = {computers: 0, names: [], dispositions: []}

function check(change: Partial<CheckInput> & Partial<Pick<KnownHash, 'seen' | 'systemFile'>> & {on?: readonly FileListRow[]}) {
	const {on = [], seen = unseen, systemFile = null, ...input} = change
	const holding = on.map(held => ({list: held, item: {...item, seen}}))
	const known: KnownHash = {sha256: hash, holding, seen, systemFile}
	const findings = findingsOf({hash, list, known, prevalence: null, prevalentFrom: 25, computers: 200, ...input})
	const texts = findings.map(({message}) => message).join('\n')
	return {stopped: findings.some(isStopped), dangerous: isDangerous(findings), texts}
}

test('an unknown hash is allowed', () => {
	expect(check({})).toMatchObject({stopped: false, dangerous: false})
	expect(check({}).texts).toContain('12 computers enforce this list')
})

test('a malicious file is a danger on a list that lets it run, and none before a list is chosen', () => {
	const seen = {computers: 3, names: [], dispositions: ['Malicious']}
	expect(check({seen, list: allowed}).dangerous).toBe(true)
	expect(check({seen, list: undefined})).toMatchObject({stopped: false, dangerous: false})
})

test.each([
	['an MD5', {hash: of('x', 'md5')}, 'This is an MD5'],
	['the empty file', {hash: of('')}, 'the empty file'],
	['a placeholder', {hash: 'F'.repeat(64)}, 'One digit repeated'],
	['there already', {on: [list]}, 'on the list already, with the note “Old note”'],
	['a list that is gone', {list: {...list, vanishedAt: 'now'}}, 'deleted elsewhere']
] as const)('%s is not sent', (_what, change, text) => {
	const found = check(change)
	expect(found.stopped).toBe(true)
	expect(found.texts).toContain(text)
})

test.each([
	['seen as clean', {seen: {computers: 2, names: ['putty.exe'], dispositions: ['Clean']}}, 'Stored events call it clean.'],
	['on a list of the opposite kind', {on: [allowed]}, 'Our tools, a list of allowed applications'],
	['on many computers', {prevalence: 25}, 'It was seen on 25 computers: that looks like a file of the system.'],
	[
		'on many computers, as stored events tell',
		{prevalence: 3, seen: {computers: 25, names: [], dispositions: []}},
		'It was seen on 25 computers'
	],
	['a file of this system', {systemFile: '/usr/bin/env'}, 'own system has it: /usr/bin/env.'],
	['one line break', {hash: of('\n')}, 'one line break']
] as const)('%s needs a typed confirmation', (_what, change, text) => {
	const found = check(change)
	expect(found).toMatchObject({stopped: false, dangerous: true})
	expect(found.texts.split('\n')[0]).toContain(text)
})

test.each([
	['few computers', {prevalence: 3, computers: 20}, '3 of 20 (15%) computers have seen it.'],
	['an unknown number of all', {prevalence: 24, computers: null}, '24 computers have seen it.'],
	['no computer', {prevalence: 0}, 'no computer that has seen it'],
	['another list that blocks', {on: [{...list, guid: 'other', name: 'Feed'}]}, 'It is also on Feed.'],
	['clean, but to be allowed', {list: allowed, seen: {computers: 1, names: [], dispositions: ['Clean']}}, 'on 1 computer.'],
	['a list nobody enforces', {list: {...list, covered: 0}}, 'No computer enforces this list'],
	['a list that was read in part', {list: {...list, itemsRead: {...list.itemsRead, of: 9}}}, 'The list was not fully loaded']
] as const)('%s is a note, and the hash can be sent', (_what, change, text) => {
	const found = check(change)
	expect(found).toMatchObject({stopped: false, dangerous: false})
	expect(found.texts).toContain(text)
})

test('nothing typed, nothing said', () => expect(check({hash: ' '}).texts).toBe(''))
