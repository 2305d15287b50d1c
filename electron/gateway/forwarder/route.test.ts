import fc from 'fast-check'

import {climbs, Routes} from './route.ts'
import {configOf, headOf, type InstanceWish} from './testing/heads.ts'
import type {Decision, RequestHead} from './message-types.ts'
import type {ForwarderConfig} from './types.ts'

function decide(
	target: string,
	wishes: InstanceWish[] = [{name: 'edl'}],
	config: Partial<ForwarderConfig> = {},
	head: Partial<RequestHead> = {}
) {
	return new Routes(configOf(wishes, config)).decide(headOf(target, head))
}

function reasonOf(decision: Decision) {
	return decision.kind === 'refuse' ? `${String(decision.refusal.status)} ${decision.refusal.reason}` : decision.kind
}

const edl = '/instance/execute/edl'
describe('the route', () => {
	it.each([
		[edl, '/', edl],
		['/instance/execute/edl/', '/', edl],
		['/instance/execute/edl?n=5', '/?n=5', edl],
		['/instance/execute/edl?', '/?', edl],
		['/instance/execute/edl/?', '/?', edl],
		['/instance/execute/edl/log?a=/b/../..', '/log?a=/b/../..', edl],
		['/instance/execute/edl?a/b', '/?a/b', edl],
		['/instance/execute/edl//x/%2F;a=b', '//x/%2F;a=b', edl],
		['/instance/execute/%65dl/x', '/x', '/instance/execute/%65dl'],
		['/xsoar/instance/execute/edl/x', '/x', '/xsoar/instance/execute/edl'],
		['/acc_one/instance/execute/edl/x', '/x', '/acc_one/instance/execute/edl'],
		['/acc-one/instance/execute/edl', '/', '/acc-one/instance/execute/edl']
	])('%s goes on as %s', (target, onward, prefix) => {
		expect(decide(target)).toMatchObject({kind: 'forward', target: onward, prefix, alias: null})
	})

	it.each([
		['/', '404 no_route'],
		['/instance/execute', '404 no_route'],
		['/Instance/execute/edl', '404 no_route'],
		['/acc_/instance/execute/edl', '404 no_route'],
		['/accone/instance/execute/edl', '404 no_route'],
		['/acc_a/b/instance/execute/edl', '404 no_route'],
		['/x/instance/execute/edl', '404 no_route'],
		['*', '204 options']
	])('%s is %s', (target, reason) => {
		expect(reasonOf(decide(target))).toBe(reason)
	})

	it.each([
		['EDL', '404 unknown_instance'],
		['other', '404 unknown_instance'],
		['_health', '404 unknown_instance'],
		['', '400 bad_name'],
		['?x', '400 bad_name'],
		['/edl', '400 bad_name'],
		['.', '400 bad_name'],
		['..', '400 bad_name'],
		['%2e%2e/edl', '400 bad_name'],
		['a%2Fb', '400 bad_name'],
		['a%5cb', '400 bad_name'],
		['a\\b', '400 bad_name'],
		['a%00', '400 bad_name'],
		['a%0a', '400 bad_name'],
		['%ff', '400 bad_name'],
		['%c0%ae', '400 bad_name'],
		['%ed%a0%80', '400 bad_name'],
		['a%', '400 bad_name'],
		['edl/..', '400 climbing_target'],
		['edl/%2e%2e%2f', '400 climbing_target'],
		['edl/a/../../b', '400 climbing_target'],
		['edl/%252e%252e', '400 climbing_target'],
		['edl/..;x/', '400 climbing_target'],
		['edl/a%2fb/../../c', '400 climbing_target'],
		['edl/a%252fb%2f..%2f..', '400 climbing_target'],
		['edl/a\\..\\..', '400 climbing_target']
	])('with %j behind it is %s', (rest, reason) => {
		expect(reasonOf(decide(`/instance/execute/${rest}`))).toBe(reason)
	})

	it('finds names with any character, composed or not', () => {
		const wishes = [{name: 'Müller & Söhne'}, {name: 'a+b'}]
		for (const name of ['Müller & Söhne', 'Müller & Söhne'.normalize('NFD'), 'a+b']) {
			expect(decide(`/instance/execute/${encodeURIComponent(name)}/x`, wishes)).toMatchObject({kind: 'forward'})
		}
		expect(decide('/instance/execute/a+b', wishes)).toMatchObject({instance: {name: 'a+b'}})
	})

	it('tells names apart by case', () => {
		const decision = decide('/instance/execute/EDL', [{name: 'edl'}, {name: 'EDL'}])
		expect(decision).toMatchObject({instance: {name: 'EDL'}})
	})

	it('serves a reserved name to nobody, even if it is configured', () => {
		const instances = configOf([{name: 'edl'}]).instances.map(one => ({...one, name: '_list'}))
		expect(reasonOf(decide('/instance/execute/_list', [], {instances}))).toBe('404 unknown_instance')
	})

	it('serves an older name until another instance takes it', () => {
		const renamed = {name: 'new', aliases: ['old']}
		expect(decide('/instance/execute/old/x', [renamed])).toMatchObject({instance: {name: 'new'}, alias: 'old'})
		const decision = decide('/instance/execute/old/x', [renamed, {name: 'old'}])
		expect(decision).toMatchObject({instance: {name: 'old'}, alias: null})
	})
})

describe('exposure', () => {
	const all = 'instance.execute.external'
	it.each([
		[{}, '404 not_exposed'],
		[{[all]: 'true'}, 'forward'],
		[{[all]: 'false'}, '404 not_exposed'],
		[{[`${all}.edl`]: 'true'}, 'forward'],
		[{[`${all}.edl`]: 'true', [all]: 'false'}, 'forward'],
		[{[`${all}.edl`]: 'false', [all]: 'true'}, '404 not_exposed'],
		[{[`${all}.EDL`]: 'true'}, '404 not_exposed'],
		[{[`${all}.edl`]: 'TRUE'}, '404 not_exposed']
	])('with %j is %s', (parameters, reason) => {
		expect(reasonOf(decide(edl, undefined, {parameters}))).toBe(reason)
	})

	it('of an older name is that of the instance', () => {
		const parameters = {[`${all}.old`]: 'true'}
		const decision = decide('/instance/execute/old', [{name: 'new', aliases: ['old']}], {parameters})
		expect(decision).toMatchObject({kind: 'refuse', instance: 'new'})
	})

	it('unknown and not exposed get the same answer, and only the log can tell', () => {
		const hidden = decide(edl, undefined, {parameters: {}})
		const unknown = decide('/instance/execute/none', undefined, {parameters: {}})
		if (hidden.kind !== 'refuse' || unknown.kind !== 'refuse') throw new Error('served')
		expect({...hidden.refusal, reason: ''}).toEqual({...unknown.refusal, reason: ''})
		expect([hidden.instance, unknown.instance]).toEqual(['edl', null])
	})

	it('needs a platform of 5.5 or above', () => {
		expect(reasonOf(decide(edl, undefined, {platformVersion: '5.4'}))).toBe('404 old_platform')
		expect(reasonOf(decide(edl, undefined, {platformVersion: '5.5'}))).toBe('forward')
	})
})

describe('what is not forwarded', () => {
	it('the version is in the answer', () => {
		expect(decide('/instance/version').kind).toBe('version')
		expect(decide('/instance/version?x', undefined, {}, {method: 'HEAD'}).kind).toBe('version')
		expect(reasonOf(decide('/instance/version', undefined, {}, {method: 'POST'}))).toBe('405 method')
	})

	it('CONNECT and TRACE are 405 wherever they point', () => {
		expect(reasonOf(decide('localhost:443', undefined, {}, {method: 'CONNECT'}))).toBe('405 connect')
		expect(reasonOf(decide(edl, undefined, {}, {method: 'TRACE'}))).toBe('405 trace')
	})
})

describe('a page that is opened without its slash', () => {
	const navigation = {fields: ['Sec-Fetch-Mode', 'navigate', 'Accept', 'text/html,*/*']}
	const web = [{name: 'edl', webInterface: true}]
	it('is led to it, query included', () => {
		expect(decide('/instance/execute/edl?a=b', web, {}, navigation)).toEqual({kind: 'redirect', location: '/instance/execute/edl/?a=b'})
	})
	it('is not when it is no page, no navigation, or has a rest', () => {
		expect(decide(edl, web).kind).toBe('forward')
		expect(decide(edl, web, {}, {fields: ['Accept', 'text/html']}).kind).toBe('forward')
		expect(decide(edl, undefined, {}, navigation).kind).toBe('forward')
		expect(decide('/instance/execute/edl/', web, {}, navigation).kind).toBe('forward')
		expect(decide(edl, web, {}, {...navigation, method: 'POST'}).kind).toBe('forward')
	})
})

describe('climbing', () => {
	it('is found however it is written', () => {
		const dots = fc.constantFrom('..', '%2e%2e', '.%2E', '%252e.', '%252e%252E')
		const separator = fc.constantFrom('/', '\\', '%2f', '%5C', '%255c', '%252F')
		fc.assert(
			fc.property(fc.array(fc.constantFrom('a', '.', ''), {maxLength: 3}), fc.array(dots, {minLength: 4}), separator, (down, up, by) => {
				expect(climbs(`/${[...down, ...up].join(by)}`)).toBe(true)
			})
		)
	})

	it('leaves every path alone that a browser would keep below its root', () => {
		const segment = fc.constantFrom('a', 'b', '.', '..', '%2e', 'c%20d', '...', '..a')
		fc.assert(
			fc.property(fc.array(segment, {minLength: 1, maxLength: 8}), segments => {
				const path = `/${segments.join('/')}`
				const under = new URL(`http://h/x/y/z/u/v/w/root${path}/end`).pathname
				const stays = segments.every((_, at) => {
					const part = new URL(`http://h/x/y/z/u/v/w/s/root/${segments.slice(0, at + 1).join('/')}/end`).pathname
					return part.startsWith('/x/y/z/u/v/w/s/root/')
				})
				expect(under).toContain('end')
				expect(climbs(path)).toBe(!stays)
			})
		)
	})
})

it('never throws, and forwards only what the client wrote', () => {
	const routes = new Routes(configOf([{name: 'edl'}, {name: 'a b'}]))
	const part = fc.constantFrom('/instance/execute/', '/xsoar', '/acc_x', 'edl', 'a%20b', '/', '..', '%2e', '%', '?', 'ü', ';', '*')
	fc.assert(
		fc.property(fc.array(fc.oneof(part, fc.string()), {maxLength: 8}), parts => {
			const target = parts.join('')
			const decision = routes.decide(headOf(target))
			if (decision.kind === 'forward') expect([decision.prefix, `${decision.prefix}/`].map(one => target.startsWith(one))).toContain(true)
			if (decision.kind === 'forward') expect(`/${target}`.endsWith(decision.target.slice(1))).toBe(true)
		}),
		{numRuns: 3000}
	)
})
