import {incidentLogSearchSchema, sinceOf} from './search.ts'

test('a span begins at a whole minute', () => {
	expect(sinceOf('24h', Date.parse('2026-01-31T14:02:11.500Z'))).toBe('2026-01-30T14:02:00.000Z')
})

test('an address with nonsense in it shows everything', () => {
	expect(incidentLogSearchSchema.parse({kind: 'nonsense', within: '9y', surface: 7, writes: 'x'})).toEqual({})
})
