import type {InstanceDetail, RequestEntry} from '#contract/instances.ts'
import {instanceDefinitionSchema} from '#model/instance.ts'

import {instanceText, requestsText} from './instances.ts'

const at = '2026-01-01T00:00:00.000Z'

function detail(list: InstanceDetail['list']): InstanceDetail {
	return {
		row: {
			instance: {
				...instanceDefinitionSchema.parse({name: 'edl'}),
				id: '1',
				listenPort: 9001,
				aliases: [],
				secrets: {users: [], tokens: 0, signingKey: false},
				createdAt: at,
				revision: 1
			},
			health: {state: 'healthy', reason: null, since: at, checkedAt: at},
			exposure: {exposed: true, key: 'instance.execute.external'},
			route: '/instance/execute/edl',
			direct: null,
			warnings: [],
			traffic: {requestsPerSecond: 0, running: 0, total: 0, failures: 0, lastRequest: null}
		},
		history: [],
		traffic: {stepS: 10, from: at, requests: [], failures: [], median: [], p99: []},
		output: [],
		list,
		recipes: []
	}
}

it('a list shows its contents, and why the last build was not published', () => {
	const list = {entries: 7, dropped: 2, builtAt: at, etag: '"x"', problem: null, heldBack: null}
	expect(instanceText(detail(null), null)).not.toMatch(/^List /m)
	expect(instanceText(detail(list), null)).toMatch(new RegExp(`^List +7 values of ${at}, 2 dropped$`, 'm'))
	const held = {...list, problem: 'It would lose 5 of 7 values.', heldBack: {entries: 1, lost: 5, at}}
	const text = instanceText(detail(held), null)
	expect(text).toMatch(/^Problem +It would lose 5 of 7 values\.$/m)
	expect(text).toMatch(new RegExp(`^Held back +1 value, since ${at}$`, 'm'))
})

it('request times have tenths of a millisecond', () => {
	// Only the fields that are shown.
	const entry = {at, status: 200, phases: {firstByte: 2.8878999999997177}} as RequestEntry
	expect(requestsText([entry]).rows[0]).toContain('2.9')
})
