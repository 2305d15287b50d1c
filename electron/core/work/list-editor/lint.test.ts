import fc from 'fast-check'

import {emptyFileHash} from '#model/file-hash.ts'

import {knownHashes} from './known.ts'
import {fileFacts, linted, type LintFacts, type StagedRow} from './lint.ts'

const hash = 'ab'.repeat(32)
const nothing: LintFacts = {
	type: 'simple_custom_detections',
	here: new Set(),
	listRead: true,
	elsewhere: new Map(),
	seen: new Map(),
	prevalence: new Map(),
	prevalentFrom: 25,
	systemFiles: new Map()
}
const row = (change: Partial<StagedRow> = {}): StagedRow => ({
	key: hash,
	operation: 'add',
	note: '',
	source: 'typed',
	place: null,
	given: 1,
	reason: null,
	result: null,
	...change
})
const told = (staged: StagedRow, facts: Partial<LintFacts> = {}) => {
	const {verdict, marks} = linted(staged, {...nothing, ...facts})
	return {verdict, kinds: marks.map(({kind}) => kind)}
}

test('a hash of which nothing is known is ready', () => {
	expect(told(row())).toEqual({verdict: 'ready', kinds: []})
})

test.each([
	['e'.repeat(32), 'md5'],
	['E'.repeat(40), 'sha1'],
	[`${hash}0`, 'not_a_hash'],
	['invoice.exe', 'not_a_hash'],
	[emptyFileHash, 'empty_file'],
	['0'.repeat(64), 'placeholder'],
	['f'.repeat(64), 'placeholder']
])('%s is refused, whatever reason is given', (key, kind) => {
	expect(told(row({key}))).toEqual({verdict: 'refused', kinds: [kind]})
	expect(told(row({key, reason: 'I know'})).verdict).toBe('refused')
})

test('the number of digits is given where it could be a slip', () => {
	expect(linted(row({key: `${hash}0`}), nothing).marks[0]?.message).toContain('these are 65')
})

test('what is harmless as far as anybody knows is red until it has a reason', () => {
	const facts = {seen: new Map([[hash, {computers: 30, dispositions: ['Clean']}]]), systemFiles: new Map([[hash, '/usr/bin/env']])}
	expect(told(row(), facts)).toEqual({verdict: 'red', kinds: ['seen_clean', 'prevalent', 'system_file']})
	expect(told(row({reason: 'ordered by the incident lead'}), facts).verdict).toBe('ready')
})

test('the number of computers is that of the service or of the events, whichever is higher', () => {
	const seen = new Map([[hash, {computers: 3, dispositions: []}]])
	expect(told(row(), {seen}).kinds).toEqual([])
	expect(told(row(), {seen, prevalence: new Map([[hash, 25]])}).kinds).toEqual(['prevalent'])
	expect(told(row(), {seen, prevalence: new Map([[hash, 24]])}).kinds).toEqual([])
})

test('there is nothing to do for what is as wanted, however bad the hash is', () => {
	const bad = {systemFiles: new Map([[hash, '/usr/bin/env']])}
	expect(told(row(), {here: new Set([hash]), ...bad}).verdict).toBe('idle')
	expect(told(row({operation: 'remove'}))).toEqual({verdict: 'idle', kinds: ['not_there']})
	expect(told(row({operation: 'remove'}), {here: new Set([hash]), ...bad})).toEqual({verdict: 'ready', kinds: []})
})

test('a partly loaded list never says that a hash is missing', () => {
	expect(told(row({operation: 'remove'}), {listRead: false})).toEqual({verdict: 'ready', kinds: ['list_unread']})
	expect(told(row(), {listRead: false})).toEqual({verdict: 'ready', kinds: ['list_unread']})
})

test('a list with the opposite effect needs a reason, one of another kind is a hint, one of the same kind is a note', () => {
	const held = (name: string, type: string) => new Map([[hash, [{name, type}]]])
	const on = (type: string) => told(row(), {elsewhere: held('Other', type)})
	expect(on('allowed_applications')).toEqual({verdict: 'red', kinds: ['contradicts']})
	expect(on('application_blocking')).toEqual({verdict: 'amber', kinds: ['other_kind']})
	expect(on('simple_custom_detections')).toEqual({verdict: 'ready', kinds: ['other_list']})
})

test('no text makes it throw, and only a SHA-256 is ever ready to be sent', () => {
	fc.assert(
		fc.property(fc.string({unit: 'grapheme'}), fc.boolean(), fc.option(fc.string()), (key, add, reason) => {
			const done = linted(row({key, operation: add ? 'add' : 'remove', reason}), nothing)
			if (done.sha256 === null) expect(done.verdict).toBe('refused')
		})
	)
})

test('malicious by events counts on an allow list, and not on an unknown list', () => {
	const seen = new Map([[hash, {computers: 1, dispositions: ['Malicious']}]])
	expect(fileFacts(hash, {...nothing, seen})).toMatchObject({malicious: true, clean: false})
	const parts = {seen, asked: new Map(), paths: new Map()}
	expect(knownHashes([hash], parts).get(hash)).toMatchObject({malicious: false, prevalence: 1})
})
