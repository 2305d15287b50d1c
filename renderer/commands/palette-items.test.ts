import {catalogue} from '#shared/commands/catalogue.ts'

import {inOrder, keyItems, matchingItems, recognised, screenItems, searchItem, verbIn, verbItems} from './palette-items.ts'

test('every command is in the palette', () => {
	const commands = matchingItems('').filter(item => item.section === 'Commands')
	expect(commands).toHaveLength(catalogue.length)
})

test('the title that starts with the word comes first', () => {
	expect(matchingItems('iso')[0]?.title).toBe('Isolate a computer')
})

test('all words must fit, in any order', () => {
	expect(matchingItems('hash remove').map(item => item.title)).toEqual(['Remove a hash from a file list'])
	expect([...matchingItems('no such thing'), ...searchItem(' – ')]).toEqual([])
})

test('a pasted hash, address or GUID is recognised', () => {
	expect(recognised('a'.repeat(64))[0]?.action).toMatchObject({kind: 'form', values: {q: 'a'.repeat(64)}})
	expect(recognised('A'.repeat(64)).flatMap(({action}) => (action.kind === 'open' ? action.path : []))).toEqual([
		`/events?filter=hash%3A${'a'.repeat(64)}`,
		`/file-lists/hash/${'a'.repeat(64)}`,
		`/file-lists/hash/${'a'.repeat(64)}?act=block`
	])
	expect(recognised(' 10.20.4.14 ')[1]?.action).toEqual({kind: 'open', path: '/computers?filter=ip:10.20.4.14'})
	expect(recognised('d7fbcdb6-0a14-4e39-867e-02f5e1649497')[0]?.action.kind).toBe('open')
	expect(recognised('FIN-LT')).toEqual([])
})

test('a verb and its object, in either order, open the dialog of that computer before anything else', () => {
	for (const text of ['isolate FIN-LT-0231', ' FIN-LT-0231  Isolate']) expect(verbIn(text)).toEqual({verb: 'isolate', object: 'FIN-LT-0231'})
	for (const text of ['isolate', 'FIN-LT', 'constructor FIN']) expect(verbIn(text)).toBeNull()
	const computer = {kind: 'computer', guid: 'g1', label: 'FIN-LT-0231', detail: 'Finance'} as const
	const items = verbItems('tag', [{...computer, kind: 'group'}, computer])
	expect(items).toMatchObject([{title: 'Tags and roles of FIN-LT-0231…', action: {kind: 'open', path: '/computers/g1?act=labels'}}])
	expect(inOrder([...matchingItems('tag'), ...items], 'tag FIN-LT-0231')[0]?.section).toBe('Actions')
})

test("actions of the screen's shortcuts are found by their words", () => {
	const active = ['global.keys', 'computers.export', 'computers.labels', 'list.columns', 'list.sort'] as const
	expect(screenItems(active, 'exp').map(({action}) => action)).toEqual([{kind: 'key', id: 'computers.export'}])
	expect(screenItems(active, 'computers tags').map(({title}) => title)).toEqual(['Tags and roles…'])
	expect(screenItems(active, 'keys')).toEqual([])
	expect(screenItems(active, ' ').map(({title}) => title)).toEqual(['Export…', 'Tags and roles…'])
})

test('opening the palette never starts a change', () => {
	const lines = matchingItems('').flatMap(item => (item.action.kind === 'line' ? [item.action.line] : []))
	expect(lines).toEqual(['svc_get_event_types', 'svc_get_version'])
})

test('the way to another key is found by its words, and stands there by itself while the key is refused', () => {
	const taken = {id: 'a b', name: 'ACME', refusal: null}
	expect(keyItems(taken, '')).toEqual([])
	expect(keyItems(taken, 'isolate')).toEqual([])
	expect(keyItems(taken, 'api key')).toMatchObject([{title: 'Replace the API key…', detail: 'of ACME'}])
	const refused = {...taken, refusal: 'Client ID or API key rejected. Check the connection.'}
	expect(keyItems(refused, ' ')).toMatchObject([
		{detail: refused.refusal, action: {kind: 'open', path: '/connections?edit=a%20b&replaceKey=true'}}
	])
	const items = inOrder([...screenItems(['computer.isolate'], ''), ...keyItems(refused, ''), ...matchingItems('')], '')
	expect(items[0]?.id).toBe('do-replace-key')
})

test('what this screen can do comes first, API commands come after what leads to a screen', () => {
	const sections = (text: string) => {
		const items = [...matchingItems(text), ...screenItems(['computer.isolate', 'computer.tab3'], text), ...searchItem(text)]
		return [...new Set(inOrder(items, text).map(({section}) => section))]
	}
	expect(sections('isolate')).toEqual(['This screen', 'Actions', 'Commands', 'Search'])
	expect(sections('')[0]).toBe('This screen')
	expect(sections('computers')[0]).toBe('Go to')
	expect(sections('computers').slice(-2)).toEqual(['Commands', 'Search'])
})

test('a title typed in full comes before the rest', () => {
	const first = (text: string) => inOrder([...matchingItems(text), ...screenItems(['computer.tab3'], text), ...searchItem(text)], text)[0]?.title
	expect(first('incident log')).toBe('Incident log')
	expect(first('Isolate a computer')).toBe('Isolate a computer')
})

test('an action of the screen that holds the word somewhere inside does not take the first place', () => {
	const items = [...matchingItems('history'), ...screenItems(['computer.tab3'], 'history')]
	const [other] = matchingItems('jobs')
	expect(inOrder(other === undefined ? [] : [other, ...items], 'history')[0]?.title).toBe('Jobs')
})
