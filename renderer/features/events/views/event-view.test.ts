import {eventsSearchSchema, type EventsSearch} from '../search.ts'
import {addressOf, describeView, everyEvent, isSame, shownBy} from './EventViewsMenu.tsx'

const search: EventsSearch = {
	...{span: '7d', from: '2026-11-20T08:00:00Z', to: '2026-11-20T09:00:00.000Z'},
	...{grouping: 'hash', within: 60, event: 'beside'}
}

test('what is shown comes back from a view as it was, without the event beside it', () => {
	const shown = shownBy(search, 'severity>=high')
	const address = eventsSearchSchema.parse(addressOf(shown))
	expect(address.event).toBeUndefined()
	expect(isSame(shownBy(address, address.filter ?? ''), shown)).toBe(true)
})

test('another filter, time or grouping is another view', () => {
	const shown = shownBy(search, 'severity>=high')
	expect(isSame(shown, shownBy(search, 'severity:high'))).toBe(false)
	expect(isSame(shown, shownBy({...search, within: undefined}, 'severity>=high'))).toBe(false)
	expect(isSame(shown, shownBy({...search, to: undefined}, 'severity>=high'))).toBe(false)
	expect(isSame(shownBy({}, ''), everyEvent)).toBe(true)
	expect(isSame(shownBy({span: 'all'}, ''), everyEvent)).toBe(true)
})

test('a view lists its contents', () => {
	expect(describeView(everyEvent)).toBe('no filter')
	expect(describeView({...everyEvent, filter: 'outcome:open', span: '7d', grouping: 'hash', within: 60})).toBe(
		'outcome:open · the last 7 days · By hash within 1 h'
	)
	expect(describeView(shownBy(search, ''))).toBe('no filter · a chosen time · By hash within 1 h')
})
