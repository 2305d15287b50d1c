import {whoWaits} from '#model/frame.ts'
import {viewQuota} from './quota-words.ts'

const now = Date.parse('2026-01-31T14:00:00Z')
const quota = {
	limit: 3000,
	remaining: 2281,
	resetAt: '2026-01-31T14:31:07Z',
	observedAt: '2026-01-31T13:59:58Z',
	reserve: 150,
	waitingUntil: null,
	waiting: 0,
	reserved: 0,
	others: null
}

test('says what is left and when it is renewed', () => {
	expect(viewQuota(quota, now)).toMatchObject({kind: 'normal', text: '2,281 of 3,000 calls left · resets in 31:07'})
})

test('says that calls wait, and until when', () => {
	const waiting = {...quota, remaining: 150, waitingUntil: '2026-01-31T14:00:41Z', waiting: 3}
	expect(viewQuota(waiting, now)).toMatchObject({kind: 'waiting', text: '3 calls wait · resumes in 00:41'})
	const more = [150, 0].map(remaining => viewQuota({...waiting, remaining}, now).more)
	expect(more).toEqual(['Releases still use the reserve.', ''])
})

test('does not call it spent where reading waits for what jobs have set aside', () => {
	const waiting = {...quota, remaining: 400, reserved: 300, waitingUntil: '2026-01-31T14:31:07Z', waiting: 1}
	expect(viewQuota(waiting, now)).toMatchObject({text: '1 call waits for jobs · 31:07 at most', short: 'waits for jobs'})
	expect([150, 450, 451].map(remaining => whoWaits({...waiting, remaining}))).toEqual(['everyone', 'background', 'programs'])
})

test('does not call it spent where only a program waits: people and jobs go on', () => {
	const waiting = {...quota, remaining: 700, waitingUntil: '2026-01-31T14:31:07Z', waiting: 1}
	expect(viewQuota(waiting, now)).toMatchObject({
		kind: 'normal',
		text: '700 of 3,000 calls left · resets in 31:07',
		more: 'Programs wait for the reset.'
	})
})

test('draws the reserve apart from what jobs may use', () => {
	expect(viewQuota({...quota, remaining: 100}, now)).toMatchObject({kind: 'low', left: 0, reserve: 0.05, reserveLeft: 100 / 3000})
})

test('does not claim to know what is left after the window ended', () => {
	expect(viewQuota({...quota, resetAt: '2026-01-31T13:59:00Z'}, now)).toMatchObject({kind: 'renewed', text: '3,000 calls an hour · renewed'})
})

test('says what jobs have set aside, and that others use the same key', () => {
	const others = {calls: 340, since: '2026-01-31T13:31:07Z'}
	expect(viewQuota({...quota, reserved: 120, others}, now)).toMatchObject({
		more: 'Jobs have set aside 120 calls. Others used 340 calls with the same key since 13:31 UTC.'
	})
	expect(viewQuota(quota, now).more).toBe('')
})
