import {answersTo} from './search-words.ts'

const group = {name: 'Site 104', description: 'Wards', guid: '0042f9a1-77aa-4c00-9d2e-5b6c7d8e9f00'}

test('every word is somewhere in the name or the description', () => {
	expect(answersTo(group, ['site', '04'])).toBe(true)
	expect(answersTo(group, ['wards', 'site'])).toBe(true)
	expect(answersTo(group, ['site', 'pharmacy'])).toBe(false)
})

test('a GUID is found by a good part of it, and not by a number that happens to be in it', () => {
	expect(answersTo(group, ['0042f9a1'])).toBe(true)
	expect(answersTo(group, [group.guid])).toBe(true)
	expect(answersTo(group, ['77'])).toBe(false)
})
