import type {EventView} from '#contract/event-views.ts'
import type {SavedView} from '#model/saved-view.ts'

import {testFolder} from '#base/testing/folder.ts'
import type {Database} from '#core/store/database.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {openViews} from './views.ts'

let folder: string
let database: Database

beforeEach(() => {
	folder = testFolder()
	database = openProfileDatabase(folder)
})

afterEach(() => database.close())

function view(id: string, changes: Partial<SavedView> = {}) {
	const columns = ['hostname', 'os=220']
	return {
		...{id, name: `View ${id}`, filter: 'os:windows', sort: 'hostname', descending: false, columns},
		...{pinned: false, isDefault: false},
		...changes
	}
}

test('views are kept for each connection in the order in which they were made', () => {
	const views = openViews(database)
	views.save('one', view('b'))
	views.save('one', view('a'))
	views.save('two', view('c'))
	views.save('one', view('b', {name: 'Renamed'}))
	expect(views.list('one').map(({name}) => name)).toEqual(['Renamed', 'View a'])
	expect(views.remove('one', 'b').map(({id}) => id)).toEqual(['a'])
	expect(views.list('two')).toEqual([view('c')])
})

test('only one of them opens with the screen', () => {
	const views = openViews(database)
	views.save('one', view('a', {isDefault: true}))
	views.save('one', view('b', {isDefault: true}))
	expect(views.list('one').map(({id, isDefault}) => [id, isDefault])).toEqual([
		['a', false],
		['b', true]
	])
})

test('one that a newer version wrote is left alone', () => {
	const views = openViews(database)
	database.run("INSERT INTO saved_view (connection, id, view) VALUES ('one', 'x', '{}')")
	views.save('one', view('a'))
	expect(views.list('one').map(({id}) => id)).toEqual(['a'])
	expect(database.get('SELECT id FROM saved_view WHERE id = ?', 'x')).toBeDefined()
})

test('views of the events lie beside those of the computers, and neither list shows the other', () => {
	const views = openViews(database)
	const high: EventView = {
		...{kind: 'events', id: 'high', name: 'High by hash', filter: 'severity>=high'},
		...{span: '7d', from: null, to: null, grouping: 'hash', within: 60}
	}
	views.save('one', view('a', {isDefault: true}))
	expect(views.events.save('one', high)).toEqual([high])
	expect(views.list('one').map(({id}) => id)).toEqual(['a'])
	expect(views.events.list('two')).toEqual([])
	expect(views.events.save('one', {...high, name: 'Renamed'}).map(({name}) => name)).toEqual(['Renamed'])
	expect(views.events.remove('one', 'high')).toEqual([])
	expect(views.list('one')).toEqual([view('a', {isDefault: true})])
})
