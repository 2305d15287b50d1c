import {progressText} from './run-command.ts'

test('a wait shows a 24-hour time', () => {
	const until = new Date(2026, 0, 15, 20, 12, 8).toISOString()
	expect(progressText({kind: 'polling', state: 'pending_start', until})).toBe('State: pending_start. Waiting until 20:12:08. Ctrl-C stops.')
	const midnight = new Date(2026, 0, 15, 0, 0, 5).toISOString()
	expect(progressText({kind: 'waiting_for_quota', until: midnight})).toContain('until 00:00:05')
})
