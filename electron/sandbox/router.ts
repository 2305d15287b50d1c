import {Refusal, type Answer} from './answer.ts'
import type {Call} from './call.ts'
import type {Host} from './tenant/host.ts'
import {hostOf, type World} from './world.ts'

type Handle = (call: Call, ...segments: readonly string[]) => Answer | Promise<Answer>

/** One endpoint: method and path like `GET /v1/groups/:guid`, and its parameters, without brackets. */
export type Route = readonly [request: string, handle: Handle, query?: readonly string[]]

export type Router = (call: Call) => Answer | Promise<Answer>

/** First match wins: fixed paths precede those with `:guid`. Throws a {@link Refusal} of 404 or 400. */
export function createRouter(routes: readonly Route[]): Router {
	const compiled = routes.map(([request, handle, query = []]) => {
		const [method, ...parts] = request.split(/ ?\//)
		return {method, parts, handle, query}
	})
	return call => {
		const route = compiled.find(({method, parts}) => method === call.method && fits(parts, call.segments))
		if (route === undefined) throw new Refusal(404, 'No such resource')
		checkQuery(call, route.query)
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
export function aboutHost(world: World, answer: (world: World, call: Call, host: Host) => Answer): Handle {
	return (call, guid = '') => answer(world, call, hostOf(world, guid))
}
