import {caseOf, casesOf, decide, windowOf} from '#core/insight/overview/detections.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function detectionProcedures({eventStores, connections, profile: {log}}: RouterDependencies): Procedures['detections'] {
	return {
		list: async ({input: {connection, ...window}}) => windowOf(await casesOf(eventStores.open(connection), log, connection), window),
		position: async ({input: {connection, key}}) =>
			(await casesOf(eventStores.open(connection), log, connection)).findIndex(({keys}) => keys.includes(key)),
		detail: ({input: {connection, key}}) => caseOf(eventStores.open(connection), log, connection, key),
		decide: ({input: {connection, ...decision}}) =>
			decide(eventStores.open(connection), log, {...decision, connection: connections.find(connection)}),
	}
}
