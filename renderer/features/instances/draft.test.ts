import {instanceDefinitionSchema, type Instance} from '#model/instance.ts'

import type {CollectionDraft} from './builtin-draft.ts'
import {draftOf, emptyDraft, type Draft} from './draft.ts'
import {readDraft} from './read-draft.ts'

test('the empty form asks for a name first, and with one it is a definition', () => {
	expect(problemOf(emptyDraft)).toBe('name')
	expect(problemOf({...emptyDraft, name: 'edl'})).toBe('listenPort')
	const reading = readDraft({...emptyDraft, name: 'edl', port: 'automatic'}, null)
	expect(reading).toEqual({kind: 'ok', definition: instanceDefinitionSchema.parse({name: 'edl'}), secrets: {}})
})

test('a definition goes through the form unchanged', () => {
	for (const definition of definitions) {
		const stored = storedOf(definition)
		const reading = readDraft(draftOf(stored), stored)
		expect(reading).toEqual({kind: 'ok', definition: instanceDefinitionSchema.parse(definition), secrets: {}})
	}
})

test('errors name their field', () => {
	const named: Draft = {...emptyDraft, name: 'edl', port: 'automatic'}
	expect(problemOf({...named, name: 'a/b'})).toBe('name')
	expect(problemOf({...named, port: 'given', listenPort: '9x'})).toBe('listenPort')
	expect(problemOf({...named, port: 'given', listenPort: '70000'})).toBe('listenPort')
	expect(problemOf({...named, kind: 'managed', command: 'run "it'})).toBe('program.command')
	expect(problemOf({...named, allow: '10.0.0.0/8\nnobody'})).toBe('allow.1')
	expect(problemOf({...named, numbers: {...named.numbers, 'limits.body': '1 MB'}})).toBe('limits.body')
	expect(problemOf({...named, kind: 'list'})).toBe('program.builtin.sources')
})

test('access control needs somebody who can pass it, or what is stored', () => {
	const basic: Draft = {...emptyDraft, name: 'edl', port: 'automatic', access: 'basic'}
	expect(problemOf(basic)).toBe('secrets.users')
	expect(problemOf({...basic, users: [{row: 0, name: 'fw', password: ''}]})).toBe('secrets.users')
	const bearer: Draft = {...basic, access: 'bearer', token: 'k'.repeat(16)}
	expect(problemOf({...bearer, token: 'short'})).toBe('secrets.tokens')
	const hmac: Draft = {...basic, access: 'hmac', signingKey: 'of the sender'}
	expect([bearer, hmac].map(draft => readDraft(draft, null))).toMatchObject([
		{secrets: {tokens: [bearer.token]}},
		{secrets: {signingKey: hmac.signingKey}}
	])
	expect(readDraft({...basic, users: [{row: 0, name: 'fw', password: 'a:b'}]}, null)).toMatchObject({
		secrets: {users: [{name: 'fw', password: 'a:b'}]}
	})
	const stored = storedOf(instanceDefinitionSchema.parse({name: 'edl', access: {kind: 'basic'}}))
	expect(readDraft(draftOf(stored), stored)).toMatchObject({kind: 'ok', secrets: {}})
	// The stored access is of another kind.
	expect(readDraft({...draftOf(stored), access: 'bearer'}, stored)).toMatchObject({kind: 'problem'})
})

test('every collection of an export is edited, and errors are shown in place', () => {
	const named: Draft = {...emptyDraft, name: 'ti', port: 'automatic', kind: 'indicators'}
	const [first] = named.indicators.collections
	if (first === undefined) throw new Error('The empty form has a collection.')
	const filled = {...first, list: {...first.list, text: 'a'.repeat(64)}}
	const withBoth = (second: Partial<CollectionDraft>) => {
		const collections = [filled, {...filled, key: 'second', ...second}]
		return {...named, indicators: {...named.indicators, collections}}
	}
	expect(problemOf(withBoth({name: 'hosts', list: first.list}))).toBe('program.builtin.collections.1.sources')
	expect(problemOf(withBoth({name: ''}))).toBe('program.builtin.collections.1.name')
	expect(problemOf(withBoth({}))).toBe('program.builtin.collections')
	const second = {name: 'hosts', description: 'Of cases', list: {...filled.list, text: 'bad.example'}}
	expect(readDraft(withBoth(second), null)).toMatchObject({
		kind: 'ok',
		definition: {
			program: {
				builtin: {
					collections: [
						{name: 'hashes', sources: [{text: 'a'.repeat(64)}]},
						{name: 'hosts', description: 'Of cases', sources: [{text: 'bad.example'}]}
					]
				}
			}
		}
	})
})

function problemOf(draft: Draft) {
	const reading = readDraft(draft, null)
	return reading.kind === 'problem' ? reading.problem.field : null
}

const definitions = [
	{name: 'plain', listenPort: 9000},
	{
		name: 'managed one',
		listenPort: 9001,
		program: {kind: 'managed', command: ['python3', '-m', 'http.server', 'a b'], folder: '/srv', environment: {A: 'b=c'}},
		access: {kind: 'basic', realm: 'Lists'},
		methods: ['GET', 'HEAD'],
		allow: ['10.0.0.0/8', '::1'],
		limits: {body: 1000, ratePerSecond: 2.5},
		healthCheck: {path: '/health', expect: [200, 204]}
	},
	{
		name: 'list',
		listenPort: 9002,
		program: {
			kind: 'builtin',
			builtin: {
				service: 'list',
				type: 'ip',
				sources: [
					{kind: 'text', text: '192.0.2.1\n'},
					{kind: 'file', path: '/srv/list.txt'},
					{kind: 'file_list', connection: 'c1', guid: 'g1'}
				],
				never: ['10.0.0.0/8']
			}
		},
		serveStaleS: 600,
		singleFlight: true
	},
	{
		name: 'export',
		listenPort: 9003,
		program: {
			kind: 'builtin',
			builtin: {
				service: 'indicators',
				collections: [
					{name: 'hashes', sources: [{kind: 'text', text: 'a'.repeat(64)}]},
					{name: 'hosts', description: 'Of cases', sources: [{kind: 'file', path: '/srv/hosts.txt'}]},
					{name: 'list', sources: [{kind: 'file_list', connection: 'c1', guid: 'g1'}]}
				]
			}
		}
	}
].map(input => instanceDefinitionSchema.parse(input))

function storedOf(definition: ReturnType<typeof instanceDefinitionSchema.parse>): Instance {
	return {
		...definition,
		id: 'i1',
		listenPort: definition.listenPort ?? 9000,
		aliases: [],
		secrets: {users: ['fw'], tokens: 0, signingKey: false},
		createdAt: '2026-01-31T14:00:00Z',
		revision: 1
	}
}
