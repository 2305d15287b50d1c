import {caseOf, casesOf, decide} from '#core/insight/overview/detections.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function detectionProcedures({eventStores, connections, profile: {log}}: RouterDependencies): Procedures['detections'] {
	return {
		list: ({input: {connection}}) => casesOf(eventStores.open(connection), log, connection),
		detail: ({input: {connection, key}}) => caseOf(eventStores.open(connection), log, connection, key),
		decide: ({input: {connection, ...decision}}) =>
			decide(eventStores.open(connection), log, {...decision, connection: connections.find(connection)}),
	}
}
