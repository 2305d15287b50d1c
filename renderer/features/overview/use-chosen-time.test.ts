import {pathDuring} from './use-chosen-time.ts'

test('a selected time is passed to the screen with its rows', () => {
	const range = {from: '2026-01-15T12:00:00.000Z', to: '2026-01-15T13:00:00.000Z'}
	const [from, to] = ['2026-01-15T12%3A00%3A00.000Z', '2026-01-15T13%3A00%3A00.000Z']
	expect(pathDuring('/events', range)).toBe(`/events?from=${from}&to=${to}`)
	expect(pathDuring('/log?writes=true', range)).toBe(`/log?writes=true&from=${from}&to=${to}`)
	expect(pathDuring('/log?writes=true', null)).toBe('/log?writes=true')
})
