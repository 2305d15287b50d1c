import {measureLongList} from './testing/measure.ts'

/** The long form, a million of each kind, is `npm run bench -- lists`. */
test.each(['sha256', 'ip', 'url'] as const)('200,000 lines of type %s take little memory and come out exact', async type => {
	const {entries, exact, growth} = await measureLongList(type, 200_000)
	expect({entries, exact}).toEqual({entries: 200_000, exact: true})
	expect(growth).toBeLessThan(100_000_000)
})
