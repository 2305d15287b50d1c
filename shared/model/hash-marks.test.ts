import {createHash} from 'node:crypto'

import {
	additionMarks,
	alreadyThere,
	contentMark,
	dangersOf,
	neverListed,
	notThere,
	removalMarks,
	saysClean,
	saysMalicious,
	type HashFacts,
	type ListPlace
} from './hash-marks.ts'

const of = (text: string) => createHash('sha256').update(text).digest('hex')
const hash = of('a file')
const blocks: ListPlace = {type: 'simple_custom_detections', note: null, read: true, elsewhere: []}
const allows: ListPlace = {...blocks, type: 'allowed_applications'}

function told(place: ListPlace | null, facts: HashFacts = {}, sha256 = hash) {
	return additionMarks(sha256, place, facts, 25).map(({level, message}) => `${level}: ${message}`)
}

test('an unknown hash has no marks', () => {
	expect(told(blocks)).toEqual([])
	expect(told(null)).toEqual([])
})

describe('refused for every list, whatever the reason', () => {
	test.each([
		['the empty file', of(''), 'This is the hash of the empty file'],
		['zeros', '0'.repeat(64), 'One digit repeated'],
		['another digit', 'F'.repeat(64), 'One digit repeated']
	])('%s', (_what, sha256, message) => {
		expect(neverListed(sha256)).toMatchObject({level: 'refused', message: expect.stringContaining(message)})
		expect(contentMark(sha256)).toEqual(neverListed(sha256))
		expect(told(blocks, {}, sha256)[0]).toContain(message)
	})

	test('any other file may be', () => expect([neverListed(hash), contentMark(hash)]).toEqual([null, null]))
})

describe('what needs a reason and a typed confirmation', () => {
	const harmless = {prevalence: 25, clean: true, systemFile: '/usr/bin/env'}

	test('a file known as harmless', () => {
		expect(told(blocks, harmless)).toEqual([
			'red: Stored events call it clean.',
			'red: It was seen on 25 computers: that looks like a file of the system.',
			"red: This computer's own system has it: /usr/bin/env."
		])
		expect(told(null, harmless)).toHaveLength(3)
	})

	test('but not one seen on fewer computers, or never queried', () => {
		expect(told(blocks, {prevalence: 24})).toEqual([])
		expect(told(blocks, {prevalence: null})).toEqual([])
	})

	test('and not on a list that allows: there it is at its place', () => {
		expect(told(allows, harmless)).toEqual([])
	})

	test('a file that events call malicious, on a list that would let it run', () => {
		expect(told(allows, {malicious: true})).toEqual(['red: Stored events call it malicious: this list would let it run.'])
		expect(told(blocks, {malicious: true})).toEqual([])
		expect([saysMalicious(['Clean', 'Malicious']), saysMalicious(['Unknown'])]).toEqual([true, false])
	})

	test('a content that is on almost every computer', () => {
		expect(told(blocks, {}, of('\n'))).toEqual(['red: This is the hash of a file of one line break: such files are on almost every computer.'])
		expect(contentMark(of('\n'))?.level).toBe('red')
	})

	test('a list that does the opposite, either way', () => {
		expect(told({...blocks, elsewhere: [{name: 'Other', type: allows.type}]})).toEqual([
			'red: It is on Other, a list of allowed applications: the two contradict each other.'
		])
		expect(told({...allows, elsewhere: [{name: 'Other', type: blocks.type}]})).toEqual([
			'red: It is on Other, a list of simple custom detections: the two contradict each other.'
		])
	})

	test('of several each is named', () => {
		const facts = {...harmless, contradicts: [{name: 'Tools', type: allows.type}]}
		for (const {message} of dangersOf(of('\n'), facts, 25, '01ba4719')) expect(message).toContain('01ba4719')
	})
})

test('other lists with the same effect are named, those of another kind apart', () => {
	const elsewhere = [
		{name: 'Feed', type: blocks.type},
		{name: 'Programs', type: 'application_blocking'},
		{name: 'Case 7', type: blocks.type}
	]
	expect(told({...blocks, elsewhere})).toEqual([
		'plain: It is also on Feed, Case 7.',
		'amber: It is also on Programs, a list of application blocking.'
	])
})

test('there is nothing to do for what is as wanted', () => {
	expect(told({...blocks, note: 'loader'})).toEqual(['idle: It is on the list already, with the note “loader”.'])
	expect(told({...blocks, note: '', read: false})).toEqual([`idle: ${alreadyThere()}`])
	expect(removalMarks(blocks)).toMatchObject([{level: 'idle', message: notThere}])
	expect(removalMarks({...blocks, note: ''})).toEqual([])
})

test('a partly loaded list never says what is missing', () => {
	const part = {...blocks, read: false}
	expect(told(part)).toEqual(['plain: The list was not fully loaded. Whether it contains the hash is unknown.'])
	expect(removalMarks(part)).toMatchObject([{kind: 'list_unread', level: 'plain'}])
})

test('clean is clean in any case', () => {
	expect([['Malicious', 'CLEAN'], ['Unknown'], []].map(saysClean)).toEqual([true, false, false])
})
