import {ownEnvironments, type Connection, type TestResult, type TestStage} from '#model/connection.ts'

import {changeOf, draftOf, emptyDraft, inputOf, problemOf, problemOfTest, twinOf, type Draft} from './draft.ts'

const stored: Connection = {
	...{id: 'c1', name: 'ACME', url: 'https://api.example.test', clientId: 'a1', insecure: false, colour: 'red'},
	...{environment: 'production', readOnly: true, sandbox: false, createdAt: ''},
	...{proxy: 'http://proxy.example:3128', hasProxyLogin: true, ca: null}
}

const typed: Draft = {...emptyDraft, name: 'ACME', url: 'https://api.example.test', clientId: 'a1', apiKey: 'key'}

test('a form that is left as it was changes nothing: neither key nor credentials are sent', () => {
	const input = inputOf(draftOf(stored))
	expect(input).toMatchObject({name: 'ACME', proxy: 'http://proxy.example:3128', ca: null})
	expect([Object.hasOwn(input, 'apiKey'), Object.hasOwn(input, 'proxyLogin')]).toEqual([false, false])
})

test('of an edited connection only what was changed is sent', () => {
	expect(changeOf(stored, draftOf(stored))).toEqual({})
	expect(changeOf(stored, {...draftOf(stored), colour: 'teal', proxyKind: 'system'})).toEqual({
		...{colour: 'teal', proxy: null, proxyLogin: null}
	})
})

test('the environment stays what it is when something else is changed', () => {
	for (const environment of ownEnvironments) expect(inputOf(draftOf({...stored, environment})).environment).toBe(environment)
})

test.each([
	['typed', {proxyUser: 'me', proxyPassword: 'x'}, {user: 'me', password: 'x'}],
	['forgotten', {forgetLogin: true}, null],
	['left with the proxy', {proxyKind: 'system'}, null]
] as const)('credentials of the proxy that are %s', (_what, change, sent) => {
	expect(inputOf({...draftOf(stored), ...change}).proxyLogin).toEqual(sent)
})

test('"as the system says", "none" and an address are three different things', () => {
	const sent = (change: Partial<Draft>) => inputOf({...typed, ...change}).proxy
	expect(sent({})).toBeNull()
	expect(sent({proxyKind: 'direct', proxy: 'http://left.over:1'})).toBe('direct')
	expect(sent({proxyKind: 'own', proxy: 'http://proxy.example:1'})).toBe('http://proxy.example:1')
})

test('what is missing is shown at its field', () => {
	expect(problemOf(typed, false)).toBeNull()
	expect(problemOf({...typed, apiKey: ''}, false)?.field).toBe('apiKey')
	expect(problemOf({...typed, apiKey: ''}, true)).toBeNull()
	expect(problemOf({...typed, name: ' '}, true)?.message).toBe('The name is empty.')
	expect(problemOf({...typed, proxyKind: 'own'}, false)?.field).toBe('proxy')
	expect(problemOf({...typed, proxyKind: 'own', proxy: 'p:1', proxyPassword: 'x'}, false)?.field).toBe('proxyLogin')
})

test('another connection to the same service and account is noticed, itself is not', () => {
	const draft: Draft = {...typed, url: 'HTTPS://api.example.test/ ', clientId: ' a1'}
	expect(twinOf(draft, null, [stored])?.name).toBe('ACME')
	expect(twinOf(draft, stored, [stored])).toBeNull()
	expect(twinOf({...draft, clientId: 'a2'}, null, [stored])).toBeNull()
	expect(twinOf(emptyDraft, null, [stored])).toBeNull()
})

test('a problem found by a test is shown at its field', () => {
	const line = (stage: TestStage, verdict: TestResult['verdict']) => ({stage, verdict, message: `${stage}.`})
	const found = (...lines: TestResult[]) => problemOfTest([line('version', 'skipped'), ...lines])
	expect(found(line('credentials', 'failed'), line('scope', 'skipped'))).toEqual({field: 'apiKey', message: 'credentials.'})
	expect(found(line('tls', 'failed'))).toBeNull()
	expect(found(line('credentials', 'ok'), line('clock', 'warning'))).toBeNull()
	const login = {...line('tcp', 'failed'), fault: {field: 'proxyLogin', code: 'invalid_argument'} as const}
	expect(found(line('url', 'ok'), login)).toEqual({field: 'proxyLogin', message: 'tcp.'})
	// The form has no field for it.
	expect(found({...login, fault: {field: 'insecure', code: 'managed'}})).toBeNull()
})
