import type {ErrorCode} from '#contract/errors.ts'
import type {AuditState} from '#contract/log.ts'

import {askWords, auditWords, isRead} from './LastActions.tsx'

const unread: AuditState = {
	...{elsewhere: 0, own: 0, oldestAt: null, readAt: null, total: null},
	...{complete: false, calls: 0, problem: null, price: 1}
}
const read = {...unread, readAt: '2026-01-15T12:00:00.000Z', complete: true}

function failed(code: ErrorCode, change: Partial<AuditState> = {}): AuditState {
	return {...read, problem: {code, message: 'Nobody answered', fault: 'service', retry: 'later'}, ...change}
}

test('a log that is not loaded yet is not called empty', () => {
	expect(auditWords(unread)).toMatch(/^Changes outside Cordon are unknown/)
	expect([isRead(unread), askWords(unread)]).toEqual([false, 'Load'])
	expect(auditWords(read)).toBeNull()
	expect([isRead(read), askWords(read)]).toEqual([true, 'Load new entries'])
})

test('a key without permission is reported, and another one can be tried', () => {
	expect(auditWords(failed('forbidden'))).toBe('This API key may not read the audit log. Changes outside Cordon are unknown.')
	expect(auditWords(failed('forbidden', {elsewhere: 3}))).toContain('Later changes')
	expect([isRead(failed('forbidden')), askWords(failed('forbidden'))]).toEqual([false, 'Try again'])
})

test('a reading that failed or was cut says what is missing', () => {
	expect(auditWords(failed('response_timeout', {own: 1}))).toBe('Could not refresh the audit log: Nobody answered.')
	expect(auditWords(failed('incomplete'))).toContain('Load older changes in the Incident log')
	expect(askWords(failed('incomplete'))).toBe('Load new entries')
})
