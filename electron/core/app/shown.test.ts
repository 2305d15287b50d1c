import {testClock} from '#core/service/api/testing/clock.ts'
import {shownConnections} from './services.ts'
import {createShown} from './shown.ts'

test('a connection is shown for as long as a page tells so, also when the clock was set back', () => {
	let now = 1_000_000
	const {tell, ids} = createShown({...testClock(), now: () => now})
	for (const each of ['one', 'two', 'one']) tell(each)
	now += 150_000
	tell('one')
	expect(ids()).toEqual(['one', 'two'])
	now += 60_000
	expect(ids()).toEqual(['one'])
	now -= 3_600_000
	expect(ids()).toEqual([])
})

test('kept fresh are the connection chosen last, or the first one, and those that pages show', () => {
	const pages = createShown(testClock())
	const connections = {list: () => ['one', 'two', 'three'].map(id => ({id}))}
	const shown = (activeConnection: string | null) => {
		const profile = {settings: {get: () => ({activeConnection})}}
		return shownConnections({connections, profile, pages} as never).map(({id}) => id) // nothing else of them is used
	}
	expect([shown('two'), shown(null), shown('gone')]).toEqual([['two'], ['one'], ['one']])
	pages.tell('three')
	expect(shown('two')).toEqual(['two', 'three'])
})
