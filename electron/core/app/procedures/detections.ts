import {caseOf, casesOf, decide} from '#core/insight/overview/detections.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function detectionProcedures(os: Implementer, {eventStores, connections, profile: {log}}: RouterDependencies) {
	const routes = os.detections
	return {
		list: routes.list.handler(({input: {connection}}) => casesOf(eventStores.open(connection), log, connection)),
		detail: routes.detail.handler(({input: {connection, key}}) => caseOf(eventStores.open(connection), log, connection, key)),
		decide: routes.decide.handler(({input: {connection, ...decision}}) =>
			decide(eventStores.open(connection), log, {...decision, connection: connections.find(connection)}),
		),
	}
}
