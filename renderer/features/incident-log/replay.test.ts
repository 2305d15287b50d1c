import {maskedCode} from '#shared/commands/result.ts'
import type {LogEntry} from '#model/incident.ts'

import {lineBehind, lineOf} from './replay.ts'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'

test('the line of an entry can be typed again, without what was masked', () => {
	const args = {connector_guid: guid, comment: 'beaconing out', unlock_code: maskedCode}
	const line = lineOf({command: 'svc_put_computers_isolation', args})
	expect(line).toContain(`connector_guid=${guid}`)
	expect(line).toContain('comment="beaconing out"')
	expect(line).not.toContain('unlock_code')
})

test('an outcome has the line of its intent', () => {
	const intent = {id: 'a', about: null, command: 'svc_get_computers', args: {limit: 10}} as unknown as LogEntry
	const outcome = {id: 'b', about: 'a', command: 'svc_get_computers', args: null} as unknown as LogEntry
	expect(lineBehind(outcome, [outcome, intent])).toBe('svc_get_computers limit=10')
	expect(lineBehind(outcome, [outcome])).toBeNull()
})

test('numbers stay as given, and what this version does not know is left out', () => {
	expect(lineOf({command: 'svc_get_computers', args: {limit: 10, of_tomorrow: 'x'}})).toBe('svc_get_computers limit=10')
})

test('an entry about no command, or one of another version, has no line', () => {
	expect(lineOf({command: null, args: null})).toBeNull()
	expect(lineOf({command: 'svc_of_tomorrow', args: {x: 'y'}})).toBeNull()
})
