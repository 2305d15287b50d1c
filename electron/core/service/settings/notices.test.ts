import {randomBytes} from 'node:crypto'

import {settingsSchema, type Settings} from '#model/settings.ts'

import {testClock} from '../api/testing/clock.ts'
import type {Notice} from '#base/ports.ts'
import {createNotices} from './notices.ts'

function bench(change: Partial<Settings> = {}) {
	const told: Notice[] = []
	let changes = 0
	const notices = createNotices({
		clock: testClock(),
		random: randomBytes,
		settings: () => ({...settingsSchema.parse({timeZone: 'utc'}), ...change}),
		notify: notice => told.push(notice),
		nameOf: id => id.toUpperCase(),
		onChange: () => (changes += 1)
	})
	const raise = (title: string) => notices.raise({kind: 'pending_too_long', title, body: 'why', open: '/computers/1', connection: 'acme'})
	return {notices, told, raise, changes: () => changes}
}

test('a notification is shown by the host and kept, newest first, until it is dismissed', () => {
	const {notices, told, raise, changes} = bench()
	raise('one')
	raise('two')
	expect(told.map(({title, body, open}) => [title, body, open])).toEqual([
		['one', 'why · ACME', '/computers/1?tenant=acme'],
		['two', 'why · ACME', '/computers/1?tenant=acme']
	])
	expect(notices.list()[0]?.tenant).toEqual({id: 'acme', name: 'ACME'})
	expect(notices.list().map(({title, quiet}) => [title, quiet])).toEqual([
		['two', false],
		['one', false]
	])
	notices.read(notices.list()[1]?.id ?? '')
	expect(notices.list().map(({read, urgency}) => [read, urgency])).toEqual([
		[false, 'now'],
		[true, 'now']
	])
	notices.read(null)
	expect(notices.list().every(({read}) => read)).toBe(true)
	notices.raise({kind: 'target', title: 'back', body: '', open: null, recovered: true})
	expect(notices.list()[0]).toMatchObject({read: false, urgency: 'know'})
	notices.dismiss(notices.list()[0]?.id ?? '')
	notices.dismiss(notices.list()[0]?.id ?? '')
	expect(notices.list().map(({title}) => title)).toEqual(['one'])
	notices.dismiss(null)
	expect(notices.list()).toEqual([])
	expect(changes()).toBe(8)
})

test.each<[string, Partial<Settings>]>([
	['switched off', {notify: false}],
	['not of this kind', {notifyKinds: ['job_finished']}],
	['in quiet hours', {quietHours: {from: '00:00', to: '23:59'}}]
])('%s: it is only in the list', (_what, change) => {
	const {notices, told, raise} = bench(change)
	raise('one')
	expect(told).toEqual([])
	expect(notices.list()).toMatchObject([{title: 'one', quiet: true}])
})

test('the list holds the newest hundred; what was read gives way first, then information', () => {
	const {notices, raise} = bench()
	for (let number = 1; number <= 120; number += 1) raise(String(number))
	expect(notices.list()).toHaveLength(100)
	expect(notices.list().at(-1)?.title).toBe('21')
	notices.read(notices.list()[0]?.id ?? '')
	for (const title of ['matched', 'again']) notices.raise({kind: 'automation', title, body: '', open: null})
	const titles = notices.list().map(({title}) => title)
	expect([titles.length, titles[0], titles[1], titles.at(-1)]).toEqual([100, 'again', '119', '21'])
})
