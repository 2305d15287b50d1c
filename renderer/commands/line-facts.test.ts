import {parseLine} from '#shared/commands/parse.ts'
import type {ChangeAnswer} from '#contract/guards.ts'

import {changeFacts, readFacts} from './CommandInput.tsx'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'
const reads = (line: string, matches?: number) => readFacts(parseLine(line), matches)?.words
const isolate = parseLine(`svc_put_computers_isolation ${guid}`)
const answer = (judgement: Partial<ChangeAnswer['judgement']>) => ({
	judgement: {
		refused: null,
		protected: [],
		review: [],
		tier: 1,
		confirmation: {kind: 'button'},
		because: [],
		approval: null,
		rolling: null,
		...judgement
	} as ChangeAnswer['judgement'], // the words need no more of it
	price: {calls: 9} as ChangeAnswer['price'], // likewise
	target: {label: 'FIN-LT-0002', roles: [], guessedRoles: []},
	undo: null
})

test('a reading shows its scope and its cost', () => {
	expect(reads('svc_get_version')).toBe('Reads · 1 call')
	expect(reads('svc_get_computers hostname=FIN- limit=5', 218)).toBe('Reads · 218 in local data match · 1 call')
	expect(reads('svc_get_computers all', 18_240)).toBe('Reads · 18,240 in local data match · about 20 calls')
	expect(reads('svc_get_events all')).toBe('Reads · a call for each page of it')
	expect(reads('svc_get_events limit=1200')).toBe('Reads · 3 calls')
})

test('a change names its target, its price and that it asks', () => {
	expect(changeFacts(isolate, null, answer({}))).toEqual({
		words: 'Changes: Isolate a computer · FIN-LT-0002 · 9 calls at most · asks before it is sent',
		isRefused: false
	})
	expect(changeFacts(isolate, null, undefined)?.words).toContain('asks before it is sent')
	expect(readFacts(isolate, undefined)).toBeNull()
})

test('a change that would be refused says why before it is tried', () => {
	expect(changeFacts(isolate, 'This connection is read-only here.', undefined)).toEqual({
		words: 'Changes: Isolate a computer · refused. This connection is read-only here.',
		isRefused: true
	})
	const protectedOne = [{id: guid, label: 'x', rule: 'protected_name', message: 'FIN-DC-01 is protected.'}]
	expect(changeFacts(isolate, null, answer({protected: protectedOne}))).toMatchObject({isRefused: true})
})
