import fc from 'fast-check'

import type {JobPlan} from '#model/job.ts'

import {refused} from '#base/testing/code-of.ts'
import {connectionTo} from '#core/service/connections/testing/clients.ts'
import {canonicalJson} from '#base/canonical.ts'
import {digestOf} from './canonical.ts'
import {planText, readPlan} from './plan-file.ts'

const connection = connectionTo('https://api.example')

function plan(change: Partial<JobPlan> = {}) {
	const made: JobPlan = {
		format: 'cordon-plan/1',
		id: '01KDVDNA00KRVTTDW1ETRE044G',
		createdAt: '2026-01-01T00:00:00.000Z',
		createdBy: 'kim',
		connection: {id: 'other', name: 'Their name', url: 'https://api.example'},
		action: {kind: 'release', reason: 'clean', ticket: null},
		targets: [
			{
				id: '9cebecd2-4461-4d48-9c97-dfb567660246',
				label: 'FIN-WS-0001',
				observed: {isolation: 'isolated', available: true},
				observedAt: '2026-01-01T00:00:00.000Z',
				note: null,
				warnings: []
			}
		],
		leftOut: [],
		protected: [],
		tier: 2,
		confirmation: {kind: 'reason', hold: false},
		because: [],
		cost: {writes: 1, reads: 3, calls: 4, leaves: null, seconds: 1},
		waves: [1],
		stopShare: 0.2,
		digest: '',
		...change
	}
	return {...made, digest: digestOf(made)}
}

const refusal = (text: string) => refused(() => readPlan(text, connection))

test('a plan of another profile on the same service is taken as it was written', () => {
	expect(readPlan(planText(plan()), connection)).toEqual(plan())
	expect(readPlan(`\u{feff}${planText(plan())}`, connection)).toEqual(plan())
})

test.each<JobPlan['action']>([
	{kind: 'move', group: target().id, reason: 'triage'},
	{kind: 'policies', policies: {windows: target().id}, reason: 'audit'}
])('a plan of an earlier version has no ticket, and one of this is part of the digest: %j', async action => {
	const [former, own] = [plan({action}), plan({action: {...action, ticket: 'INC-7'}})]
	for (const one of [former, own]) expect(readPlan(planText(one), connection)).toEqual(one)
	expect((await refusal(JSON.stringify({...own, digest: former.digest}))).details.field).toBe('digest')
})

test.each([
	['nothing', '', 'plan'],
	['no JSON', '{', 'plan'],
	['another thing', '[]', 'plan'],
	['another format', JSON.stringify({...plan(), format: 'cordon-plan/2'}), 'format'],
	['a field too many', JSON.stringify({...plan(), run: 'rm'}), 'run'],
	['no targets', JSON.stringify({...plan(), targets: []}), 'targets'],
	['a target that is no GUID', JSON.stringify(plan({targets: [{...target(), id: 'all'}]})), 'targets.0.id'],
	['a target twice', JSON.stringify(plan({targets: [target(), target()], waves: [2]})), 'targets.1.id'],
	['a hash among computers', JSON.stringify(plan({targets: [{...target(), id: 'a'.repeat(64)}]})), 'targets.0.id'],
	['waves that do not fit', JSON.stringify(plan({waves: [2]})), 'waves'],
	['a name that hides something', JSON.stringify(plan({targets: [{...target(), label: 'a\u{202e}b'}]})), 'targets.0.label'],
	['another digest', JSON.stringify({...plan(), digest: '0'.repeat(64)}), 'digest'],
	['another reason under the same digest', JSON.stringify({...plan(), action: {...plan().action, reason: 'x'}}), 'digest'],
	['another service', JSON.stringify(elsewhere()), 'connection.url']
])('%s is refused with the name of the field', async (_what, text, field) => {
	expect(await refusal(text)).toMatchObject({code: 'invalid_argument', details: {field}})
})

function target() {
	const [only] = plan().targets
	if (only === undefined) throw new Error('a plan has a target')
	return only
}

function elsewhere() {
	return plan({connection: {id: 'a', name: 'b', url: 'https://api.elsewhere.example'}})
}

test('whatever stands in a field, the file is taken whole or refused with a word', () => {
	const paths = ['format', 'id', 'connection', 'action', 'targets', 'tier', 'confirmation', 'waves', 'digest', 'cost'] as const
	fc.assert(
		fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
			const text = JSON.stringify({...plan(), [path]: value})
			try {
				expect(digestOf(readPlan(text, connection))).toBe(plan().digest)
			} catch (error) {
				expect(error).toMatchObject({code: 'invalid_argument', details: {field: expect.stringContaining('')}})
			}
		})
	)
})

test('the digest does not care for the order of keys, and for everything else', () => {
	expect(canonicalJson({b: [1, {d: null, c: 'ä'}], a: true})).toBe('{"a":true,"b":[1,{"c":"ä","d":null}]}')
	fc.assert(
		fc.property(fc.string({minLength: 1}), label => {
			fc.pre(label !== target().label)
			expect(digestOf(plan({targets: [{...target(), label}]}))).not.toBe(plan().digest)
		})
	)
})
