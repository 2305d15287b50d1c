import {Refusal, type Answer} from './answer.ts'
import type {Call} from './call.ts'
import type {Host} from './tenant/host.ts'
import {hostOf, type World} from './world.ts'

/** One endpoint. `path` is like `/v1/groups/:guid`; `query` lists its parameters, without brackets. */
export interface Route {
	readonly method: string
	readonly path: string
	readonly query?: readonly string[]
	readonly handle: (call: Call, ...segments: readonly string[]) => Answer | Promise<Answer>
}

export type Router = (call: Call) => Answer | Promise<Answer>

interface Compiled extends Route {
	readonly parts: readonly string[]
}

/** First match wins: fixed paths precede those with `:guid`. Throws a {@link Refusal} of 404 or 400. */
export function createRouter(routes: readonly Route[]): Router {
	const compiled = routes.map((route): Compiled => ({...route, parts: route.path.split('/').slice(1)}))
	return call => {
		const route = compiled.find(candidate => candidate.method === call.method && fits(candidate.parts, call.segments))
		if (route === undefined) throw new Refusal(404, 'No such resource')
		checkQuery(call, route.query ?? [])
		return route.handle(call, ...call.segments.filter((_, index) => route.parts[index]?.startsWith(':')))
	}
}

function fits(parts: readonly string[], segments: readonly string[]) {
	return parts.length === segments.length && parts.every((part, index) => part.startsWith(':') || part === segments[index])
}

/** The service refuses unknown parameters and names them (API reference, 1.7). */
function checkQuery(call: Call, known: readonly string[]) {
	const unknown = [...call.query.keys()].filter(name => !known.includes(name.replace(/\[\]$/, '')))
	if (unknown.length > 0) throw new Refusal(400, `Unexpected parameter: ${unknown.join(', ')}`)
}

/** A route about one computer, which its path names. */
export function aboutHost(world: World, answer: (world: World, call: Call, host: Host) => Answer): Route['handle'] {
	return (call, guid = '') => answer(world, call, hostOf(world, guid))
}
