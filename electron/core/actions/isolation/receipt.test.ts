import type {LogEntry} from '#model/incident.ts'

import {verdictOn, type Followed} from './observation.ts'
import {receiptOf} from './receipt.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()

/** What a receipt is made of. */
function entry(seq: number, change: Partial<LogEntry>) {
	const own = {seq, id: `e${seq}`, at: at(seq), kind: 'command.requested', about: null, command: null, args: null, operator: 'kim'} as const
	return {...own, status: null, requestId: null, message: '', data: null, ...change} as LogEntry
}

const isolate = entry(1, {command: 'svc_put_computers_isolation', args: {comment: 'beaconing'}})
const accepted = entry(2, {kind: 'command.succeeded', about: 'e1', status: 200, requestId: 'r', data: {state: 'pending_start'}})
const after = (waitingMs: number, change: Partial<Followed> = {}) => ({waitingMs, wasPending: false, unwantedForMs: 0, ...change})

const lost = entry(2, {kind: 'command.outcome_unknown', about: 'e1', message: 'Lost.'})
const seen = entry(3, {kind: 'command.observed', about: 'e1', data: {state: 'isolated'}})

const requested = {at: at(1), by: 'kim', reason: 'beaconing', entry: 'e1'}

describe('a receipt', () => {
	test('does not exist without a request', () => {
		expect(receiptOf([entry(1, {command: 'svc_get_version'})])).toBeNull()
	})

	test('is only requested until an answer is recorded', () => {
		expect(receiptOf([isolate])).toEqual({action: 'isolate', requested})
	})

	test('is accepted with status, request id and state', () => {
		expect(receiptOf([accepted, isolate])).toEqual({
			action: 'isolate',
			requested,
			accepted: {at: at(2), status: 200, requestId: 'r', state: 'pending_start'}
		})
	})

	test('shows the observed state, even if it is not the wanted one', () => {
		const observed = entry(3, {kind: 'command.observed', about: 'e1', data: {state: 'not_isolated'}})
		expect(receiptOf([observed, accepted, isolate])?.observed).toEqual({state: 'not_isolated', at: at(3)})
		expect(receiptOf([seen, accepted, isolate])?.observed).toEqual({state: 'isolated', at: at(3)})
	})

	test('is confirmed by a reading after the answer, not by one before', () => {
		expect(receiptOf([accepted, isolate], {state: 'isolated', at: at(9)})?.observed).toEqual({state: 'isolated', at: at(9)})
		expect(receiptOf([accepted, isolate], {state: 'isolated', at: at(1)})?.observed).toBeUndefined()
		expect(receiptOf([accepted, isolate], {state: 'pending_start', at: at(9)})).toMatchObject({checked: {state: 'pending_start', at: at(9)}})
	})

	test('says whether it was refused or unknown', () => {
		const failed = entry(2, {kind: 'command.failed', about: 'e1', message: 'It is isolated already.'})
		expect(receiptOf([failed, isolate])?.refused).toEqual({at: at(2), message: 'It is isolated already.', unknown: false})
		expect(receiptOf([lost, isolate])?.refused?.unknown).toBe(true)
	})

	test('is of the newest request', () => {
		const release = entry(5, {command: 'svc_delete_computers_isolation', args: {unlock_code: '••••••'}, data: {comment: 'clean'}})
		const asked = {action: 'release', requested: {at: at(5), by: 'kim', reason: 'clean', entry: 'e5'}}
		const before = [release, seen, accepted, isolate]
		expect(receiptOf(before)).toEqual(asked)
		const met = entry(6, {kind: 'command.succeeded', about: 'e5', status: 409, data: {state: 'not_isolated'}})
		expect(receiptOf([met, ...before])).toMatchObject({...asked, observed: {state: 'not_isolated', at: at(6)}})
	})
})

describe('a second request that met the state of the first', () => {
	const second = entry(3, {command: 'svc_put_computers_isolation', args: {}})
	const conflict = entry(4, {kind: 'command.failed', about: 'e3', status: 409, message: 'It is starting already.'})
	const all = [conflict, second, accepted, isolate]

	test('leaves the receipt of the first', () => {
		expect(receiptOf(all)).toMatchObject({requested, accepted: {status: 200}})
	})

	test('does not keep the first from being observed', () => {
		expect(verdictOn(all, 'isolated', after(5000))).toEqual({kind: 'observed', intent: isolate})
	})

	test('is the receipt when there is no first', () => {
		expect(receiptOf([conflict, second])).toMatchObject({requested: {entry: 'e3'}, refused: {unknown: false}})
	})
})

describe('a reading', () => {
	test('ends a request when it is what was wanted', () => {
		expect(verdictOn([accepted, isolate], 'isolated', after(5000))).toEqual({kind: 'observed', intent: isolate})
	})

	test('also ends one with an unknown outcome', () => {
		expect(verdictOn([lost, isolate], 'isolated', after(5000)).kind).toBe('observed')
	})

	test('ends but does not confirm one whose answer was lost while somebody else isolated', () => {
		const theirs = {...lost, data: {state: 'isolated'}}
		expect(verdictOn([theirs, isolate], 'isolated', after(5000)).kind).toBe('done')
		expect(receiptOf([theirs, isolate], {state: 'isolated', at: at(9)})?.observed).toBeUndefined()
	})

	test('that still shows the old state does not count for ten minutes', () => {
		expect(verdictOn([accepted, isolate], 'not_isolated', after(599_000)).kind).toBe('keep')
		expect(verdictOn([accepted, isolate], 'not_isolated', after(600_000)).kind).toBe('done')
	})

	test('is a failure once the old state was read again for ten seconds after it was pending', () => {
		const [early, late] = [after(20_000, {unwantedForMs: 9000}), after(20_000, {unwantedForMs: 10_000})]
		expect(verdictOn([accepted, isolate], 'not_isolated', early).kind).toBe('keep')
		expect(verdictOn([accepted, isolate], 'not_isolated', late)).toEqual({kind: 'failed', intent: isolate})
		expect(verdictOn([accepted, isolate], 'unavailable', late).kind).toBe('failed')
	})

	test('is no failure if it was never pending: the service may show the old state for a while', () => {
		const late = after(60_000, {unwantedForMs: 60_000})
		expect(verdictOn([lost, isolate], 'not_isolated', late).kind).toBe('keep')
		expect(verdictOn([lost, isolate], 'not_isolated', {...late, wasPending: true}).kind).toBe('failed')
	})

	test('says nothing about a request that was refused, observed, or never made', () => {
		const failed = entry(2, {kind: 'command.failed', about: 'e1'})
		for (const entries of [[failed, isolate], [seen, accepted, isolate], []]) {
			expect(verdictOn(entries, 'isolated', after(0))).toEqual({kind: 'done'})
		}
	})
})
