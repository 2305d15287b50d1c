import type {AttentionItem, AttentionKind} from '#contract/insight.ts'

import {makeAttentionWatch} from './attention-watch.ts'
import type {RaisedNotice} from './notices.ts'

const acme = {id: 'c1', name: 'ACME'}
const minute = 60_000

function item(kind: AttentionKind, count = 1): AttentionItem {
	return {kind, title: `title of ${kind}`, count, names: ['FIN-1'], since: null, open: '/computers', urgency: 'now'}
}

let raised: RaisedNotice[]
let look: (now: number, ...items: AttentionItem[]) => void

beforeEach(() => {
	raised = []
	const watch = makeAttentionWatch(notice => raised.push(notice))
	look = (now, ...items) => watch.look(acme, items, now)
})

test('an attention item is announced once, with its names and connection', () => {
	for (const at of [0, 1, 2]) look(at * minute, item('isolated_and_silent'))
	expect(raised).toEqual([
		{
			...{kind: 'isolated_and_silent', title: 'title of isolated_and_silent', body: 'FIN-1', open: '/computers'},
			...{urgency: 'now', connection: 'c1', isSilent: false}
		}
	])
})

test('one more computer is announced, one less is not', () => {
	look(0, item('isolated_and_silent', 1))
	look(1, item('isolated_and_silent', 3))
	look(2, item('isolated_and_silent', 2))
	look(3, item('isolated_and_silent', 3))
	expect(raised.map(({body}) => body)).toEqual(['FIN-1', 'FIN-1 and 2 more', 'FIN-1 and 2 more'])
})

test('groups say by themselves how many more they are', () => {
	look(0, {...item('compromised', 10), names: ['Mac Developers 2', '6 more groups']})
	expect(raised[0]?.body).toBe('Mac Developers 2, 6 more groups')
})

test('recovery is announced, but only of announced items', () => {
	look(0, item('forwarding_failed'))
	look(1 * minute)
	expect(raised).toEqual([])
	look(2 * minute, item('forwarding_failed'))
	look(5 * minute, item('forwarding_failed'))
	look(6 * minute)
	look(7 * minute)
	expect(raised.map(({title, recovered}) => [title, recovered ?? false])).toEqual([
		['title of forwarding_failed', false],
		['No longer: title of forwarding_failed', true]
	])
})

test('a detection group is announced by itself and once; what stood at the first look only in the list', () => {
	const group = (...keys: string[]) => ({...item('detection_group'), title: keys.join(''), keys})
	look(0, group('a'), item('compromised'))
	look(1 * minute, group('b', 'c'), group('a'), item('compromised', 2))
	look(2 * minute, group('c', 'd'))
	expect(raised.map(({kind, title, isSilent, recovered}) => [kind, title, isSilent ?? false, recovered ?? false])).toEqual([
		['detections', 'title of compromised', true, false],
		['detections', 'a', true, false],
		['detections', 'title of compromised', false, false],
		['detections', 'bc', false, false],
		['detections', 'No longer: title of compromised', false, true]
	])
})

test('many detection groups at once are told by the worst three and their number', () => {
	const groups = (count: number) => Array.from({length: count}, (_, at) => ({...item('detection_group'), keys: [`${at}`]}))
	look(0, ...groups(3))
	look(1 * minute, ...groups(8), item('key_rejected'))
	look(2 * minute, ...groups(9))
	const told = raised.map(({title}) => title.replace('title of detection_group', 'one')).slice(3, 8)
	expect(told).toEqual(['2 more detection groups', 'title of key_rejected', 'one', 'one', 'one'])
	expect(raised).toHaveLength(10)
})

test('other items cause no notification', () => {
	look(0, item('list_uncovered'), item('quarantine_failed'))
	look(60 * minute, item('list_uncovered', 50))
	look(61 * minute)
	expect(raised).toEqual([])
})
