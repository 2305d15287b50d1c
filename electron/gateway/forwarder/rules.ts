/** The configuration, compiled once: every request keeps the one it began with. */
import {Answers} from './answers.ts'
import {RequestWriter} from './headers/request.ts'
import {ResponseReader} from './headers/response.ts'
import {requestIdOf} from './headers/trace.ts'
import type {Rules} from './pipeline-parts.ts'
import {Policy} from './policy.ts'
import {Routes} from './route.ts'
import type {ForwardedInstance, ForwarderConfig} from './types.ts'
import {targetOf, type UpstreamTarget} from './upstream/plan.ts'

interface Compiled {
	target: UpstreamTarget
	writer: RequestWriter
	reader: ResponseReader
}

export function compileRules(config: ForwarderConfig): Rules {
	const routes = new Routes(config)
	const policy = new Policy(config)
	const answers = new Answers(config)
	const compile = (instance: ForwardedInstance): Compiled => ({
		target: targetOf(instance),
		writer: new RequestWriter(instance, config),
		reader: new ResponseReader(instance, config)
	})
	const compiled = new Map(config.instances.map(instance => [instance, compile(instance)] as const))
	const of = (instance: ForwardedInstance): Compiled => compiled.get(instance) ?? compile(instance)
	return {
		config,
		route: head => routes.decide(head),
		policy: (head, peer, decision) => policy.check(head, peer, decision),
		requestId: ({fields}) => requestIdOf(fields),
		target: instance => of(instance).target,
		requestHead: (request, upgrade = false) => of(request.decision.instance).writer.write(request, upgrade),
		responseFields: (head, request) => of(request.decision.instance).reader.fields(head, request),
		interimFields: (fields, request) => of(request.decision.instance).reader.interim(fields, request),
		trailers: (fields, instance) => of(instance).reader.trailers(fields),
		refusal: (refusal, head, requestId) => answers.refusal(refusal, head, requestId),
		redirect: (location, requestId) => answers.redirect(location, requestId),
		version: requestId => answers.version(requestId)
	}
}
