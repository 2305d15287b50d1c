import type {RequestEntry} from '#contract/instances.ts'

import {emptyLog, fits, mostRequests, paused, taken, totalMs} from './request-log.ts'

test('newest first, each once, and never more than the bound', () => {
	const log = taken(taken(emptyLog, [request(1), request(2)]), [request(2), request(3)])
	expect(log.shown.map(({id}) => id)).toEqual(['3', '2', '1'])
	// Its client gave it the ID of another.
	expect(taken(log, [request(4, {id: '3'})]).shown.map(({id}) => id)).toEqual(['3', '3', '2', '1'])
	const many = taken(
		log,
		Array.from({length: mostRequests + 50}, (_, index) => request(index + 10))
	)
	expect(many.shown).toHaveLength(mostRequests)
	expect(many.shown[0]?.id).toBe(String(mostRequests + 59))
})

test('what comes while it is paused is held back and shown afterwards', () => {
	const still = taken(paused(taken(emptyLog, [request(1)]), true), [request(1), request(2)])
	expect(still.shown.map(({id}) => id)).toEqual(['1'])
	expect(still.held.map(({id}) => id)).toEqual(['2'])
	expect(paused(still, false).shown.map(({id}) => id)).toEqual(['2', '1'])
})

test('every word has to occur, and the status has to fit', () => {
	const entry = request(1, {path: '/instance/execute/edl/log', status: 404, client: '10.0.0.7'})
	expect(fits(entry, '', 'all')).toBe(true)
	expect(fits(entry, 'LOG 10.0', '4xx')).toBe(true)
	expect(fits(entry, 'log 10.1', 'all')).toBe(false)
	expect(fits(entry, '', '5xx')).toBe(false)
	expect(fits(entry, '', 'failed')).toBe(false)
	expect(fits(request(1, {endedBy: 'instance'}), '', 'failed')).toBe(true)
	// Refused by Cordon, complete; cut by Cordon.
	expect(fits(request(1, {status: 404, endedBy: 'cordon', source: 'cordon'}), '', 'failed')).toBe(false)
	expect(fits(request(1, {endedBy: 'cordon'}), '', 'failed')).toBe(true)
})

test('omitted phases count as zero', () => {
	const phases = {tls: null, access: 1, queue: null, connect: 2, firstByte: 3.5, body: null}
	expect(totalMs(request(1, {phases}))).toBe(6.5)
})

function request(number: number, changed: Partial<RequestEntry> = {}): RequestEntry {
	return {
		id: String(number),
		at: new Date(Date.UTC(2026, 0, 31) + number * 1000).toISOString(),
		instance: 'edl',
		alias: null,
		protocol: 'HTTP/1.1',
		method: 'GET',
		path: '/instance/execute/edl',
		status: 200,
		client: '127.0.0.1',
		received: 0,
		sent: 10,
		endedBy: 'done',
		reason: null,
		source: 'instance',
		phases: {tls: null, access: null, queue: null, connect: null, firstByte: null, body: null},
		...changed
	}
}
