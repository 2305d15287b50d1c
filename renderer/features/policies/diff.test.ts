import {verdictOf} from '#commands/compare/diff-line.ts'
import {diffOf} from './CompareScreen.tsx'

test('fields are shown side by side, and those that always differ are left out', () => {
	const lines = diffOf(
		{guid: '1', name: 'Protect', serial_number: 41, default: true},
		{guid: '2', name: 'Server', serial_number: 41, default: false}
	)
	expect(lines).toEqual([
		{title: 'Name', a: 'Protect', b: 'Server'},
		{title: 'Serial number', a: '41', b: '41'},
		{title: 'Default', a: 'yes', b: 'no'}
	])
	expect(lines.map(verdictOf)).toEqual(['differs', 'same', 'differs'])
})

test('named things are compared by GUID, one line each', () => {
	const list = (guid: string, name: string) => ({guid, name, type: 'simple_custom_detections'})
	const lines = diffOf({file_lists: [list('1', 'Main'), list('2', 'Old')]}, {file_lists: [list('1', 'Main')]})
	expect(lines.map(line => [line.a, line.b, verdictOf(line)])).toEqual([
		['Main (simple custom detections)', 'Main (simple custom detections)', 'same'],
		['Old (simple custom detections)', '', 'differs']
	])
})

test('what the service spells for machines becomes words, and what is not known stays', () => {
	const kinds = (type: string) => ({file_lists: [{guid: '1', name: 'L', type}]})
	expect(diffOf(kinds('allowed_applications'), kinds('of_tomorrow')).map(({a, b}) => [a, b])).toEqual([
		['L (allowed applications)', 'L (of_tomorrow)']
	])
	expect(diffOf({product: 'mac'}, {product: 'beos'})[0]).toMatchObject({a: 'macOS', b: 'beos'})
})

test('a field that only one of them has stands alone, an empty list is none', () => {
	expect(diffOf({exclusion_sets: []}, {exclusion_sets: [{guid: 'e', name: 'SQL'}]})).toEqual([{title: 'Exclusion set', a: '', b: 'SQL'}])
	expect(diffOf({mode: {audit: true}}, {})).toEqual([{title: 'Mode', a: '{"audit":true}', b: ''}])
})

test('lists of a policy without loaded details are not called missing', () => {
	const lists = {name: 'Protect', file_lists: [{guid: '1', name: 'Main'}]}
	const lines = diffOf(lists, {name: 'Protect'}, {a: false, b: true})
	expect(lines.map(verdictOf)).toEqual(['same', ...Array.from({length: 5}, () => 'unknown')])
	expect(diffOf({}, {}, {a: true, b: true}).map(({title, a, b}) => [title, a, b])).toContainEqual(['File list', null, null])
})

test('fields have titles, unknown ones their own name', () => {
	const lines = diffOf({file_lists: [{guid: '1', name: 'Main'}], some_new_field: 1}, {})
	expect(lines.map(({title}) => title)).toEqual(['File list', 'Some new field'])
})
