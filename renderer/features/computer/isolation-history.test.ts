import type {EventRow} from '#contract/events.ts'
import type {LogEntry} from '#model/incident.ts'

import {isolationSpans, isolationSteps} from './IsolationHistory.tsx'

const entry = (minute: number, kind: LogEntry['kind'], command: string | null, comment?: string): LogEntry =>
	({
		id: `entry ${minute}`,
		at: `2026-01-15T12:${String(minute).padStart(2, '0')}:00Z`,
		kind,
		command,
		args: comment === undefined ? null : {comment},
		operator: 'kim',
		message: kind
		// Nothing else of it is read here.
	}) as LogEntry

const event = (minute: number, type: string) =>
	({key: `event ${minute}`, at: `2026-01-15T12:${String(minute).padStart(2, '0')}:00.000Z`, type}) as EventRow

const put = 'svc_put_computers_isolation'
const drop = 'svc_delete_computers_isolation'

test('the log and stored events make one history, newest first', () => {
	const steps = isolationSteps(
		[
			entry(1, 'command.requested', put, 'Beaconing'),
			entry(2, 'command.succeeded', put),
			entry(9, 'command.requested', 'svc_move_computer'),
			entry(8, 'secret.revealed', null)
		],
		[event(3, 'Endpoint Isolation Start Success'), event(4, 'Scan Started')]
	)
	expect(steps.map(({kind, way, source}) => [kind, way, source])).toEqual([
		['revealed', null, 'log'],
		['observed', 'isolate', 'event'],
		['accepted', 'isolate', 'log'],
		['asked', 'isolate', 'log']
	])
	expect(steps.at(-1)?.text).toBe('command.requested: Beaconing')
})

test('a computer was isolated from the first observation to the next observed release', () => {
	const steps = isolationSteps(
		[entry(20, 'command.observed', put), entry(30, 'command.failed', drop)],
		[event(3, 'Endpoint Isolation Start Success'), event(5, 'Endpoint Isolation Start Success'), event(9, 'Endpoint Isolation Stop Success')]
	)
	expect(isolationSpans(steps)).toEqual([
		{from: '2026-01-15T12:03:00.000Z', to: '2026-01-15T12:09:00.000Z'},
		{from: '2026-01-15T12:20:00Z', to: null}
	])
})

test('an isolation that the agent did not carry out failed', () => {
	const seen = {...entry(3, 'command.observed', put), data: {state: 'not_isolated'}}
	expect(isolationSteps([seen], [])).toMatchObject([{kind: 'failed', way: 'isolate'}])
})
