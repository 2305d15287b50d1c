import {requestedText} from '#text/changes.ts'

import {acceptedLine} from './accepted.ts'

test('an answer of 409 changed nothing, and the receipt does not say Accepted', () => {
	const lineOf = (status: number) => acceptedLine({status, requestId: 'r1', message: ''}, '2026-01-02T03:04:05Z')
	expect(lineOf(409)).toMatchObject({title: 'No change needed', state: 'none'})
	expect(lineOf(409).text).toContain('HTTP 409')
	expect(lineOf(202)).toMatchObject({title: 'Accepted', state: 'done'})
})

test('whoever asked is named as in the incident log, of oneself too', () => {
	expect(requestedText('mkeller', '')).toBe('by mkeller')
	expect(requestedText('mkeller', 'INC-1')).toBe('by mkeller: “INC-1”')
})
