import {caseOf, casesOf, decide, type KnownCases, windowOf} from '#core/insight/overview/detections.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function detectionProcedures({eventStores, connections, profile: {log}}: RouterDependencies): Procedures['detections'] {
	const known: KnownCases = new WeakMap()
	const all = (connection: string) => casesOf(eventStores.open(connection), log, connection, known)
	return {
		list: async ({input: {connection, ...window}}) => windowOf(await all(connection), window),
		position: async ({input: {connection, key}}) => (await all(connection)).findIndex(({keys}) => keys.includes(key)),
		detail: ({input: {connection, key}}) => caseOf(eventStores.open(connection), log, connection, key, known),
		decide: ({input: {connection, ...decision}}) =>
			decide(eventStores.open(connection), log, {...decision, connection: connections.find(connection)})
	}
}
