import {combined, only, valuesOf} from './lookup.ts'

const fields = ['Accept', 'a', 'X-One', '', 'ACCEPT', 'b', 'Accept-Encoding', 'c']

test('fields are found by their whole name in any spelling, and none, one and several are told apart', () => {
	expect(['accept', 'x-one', 'accept-encoding', 'host'].map(name => valuesOf(fields, name))).toEqual([['a', 'b'], [''], ['c'], []])
	expect(['accept', 'x-one', 'host'].map(name => only(fields, name))).toEqual([undefined, '', null])
	expect(['accept', 'x-one', 'host'].map(name => combined(fields, name))).toEqual(['a, b', '', null])
})

test('the value of one field is never taken for the name of another', () => {
	expect(valuesOf(['X-One', 'host', 'X-Two', 'evil'], 'host')).toEqual([])
})
