import {testFolder} from '#base/testing/folder.ts'
import type {Database} from '#core/store/database.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {openLabels} from './labels.ts'

let folder: string
let database: Database
const none = {tags: [], roles: []}

beforeEach(() => {
	folder = testFolder()
	database = openProfileDatabase(folder)
	database.run(
		"INSERT INTO connection VALUES ('one', 'One', 'http://localhost', 'id', 0, 'teal', 'test', 0, '2026-01-01', 1, NULL, NULL, NULL, 0, NULL)"
	)
})

afterEach(() => database.close())

test('tags and roles are given, found, and taken away again', () => {
	const labels = openLabels(database).of('one')
	const added = {tags: ['Tier 0', 'loaner'], roles: ['server' as const]}
	expect(labels.change({guids: ['a', 'b'], add: added, remove: none})).toBe(2)
	expect(labels.of('a')).toEqual({tags: ['loaner', 'Tier 0'], roles: ['server']})
	expect(labels.having('tag', text => text.includes('tier'))).toEqual(['a', 'b'])
	expect(labels.change({guids: ['a'], add: none, remove: {tags: ['TIER 0'], roles: []}})).toBe(1)
	expect(labels.of('a').tags).toEqual(['loaner'])
	expect(labels.all('tag')).toEqual([
		{value: 'loaner', guids: ['a', 'b']},
		{value: 'Tier 0', guids: ['b']}
	])
})

test('an existing label changes nothing, notifies nobody, and keeps its spelling', () => {
	const store = openLabels(database)
	const told: string[] = []
	store.onChange(connection => told.push(connection))
	const labels = store.of('one')
	labels.change({guids: ['a'], add: {tags: ['VIP desk'], roles: []}, remove: none})
	const before = labels.revision()
	expect(labels.change({guids: ['a'], add: {tags: ['vip DESK'], roles: []}, remove: none})).toBe(0)
	expect(labels.revision()).toBe(before)
	expect(labels.of('a').tags).toEqual(['VIP desk'])
	expect(told).toEqual(['one'])
})

test('another process sees them, and a connection that is gone takes its own with it', () => {
	const here = openLabels(database).of('one')
	const other = openProfileDatabase(folder)
	openLabels(other)
		.of('one')
		.change({guids: ['a'], add: {tags: ['x'], roles: []}, remove: none})
	expect(here.of('a').tags).toEqual(['x'])
	database.run("DELETE FROM connection WHERE id = 'one'")
	expect(openLabels(other).of('one').of('a').tags).toEqual([])
	other.close()
})
