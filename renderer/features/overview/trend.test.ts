import {trendFilter} from './Attention.tsx'

test('only what is counted from stored events has a course over time', () => {
	expect(trendFilter('/events?filter=outcome%3Afailed&grouping=detections')).toBe('outcome:failed')
	expect(trendFilter('/events')).toBeNull()
	expect(trendFilter('/computers?filter=compromised%3Ayes')).toBeNull()
})
