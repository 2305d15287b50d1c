import {actingSurface} from '#base/acting.ts'
import {apiReference} from '#core/doors/operations.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function doorProcedures({doors}: RouterDependencies): Procedures['doors'] {
	const surface = () => actingSurface('screen')
	return {
		state: () => doors.state(),
		set: ({input}) => doors.set(input, surface()),
		tokens: () => doors.tokens.list(),
		create: ({input}) => doors.tokens.create(input, surface()),
		revoke: ({input}) => doors.tokens.revoke(input.id, surface()),
		test: ({input}) => doors.test(input, surface()),
		reference: () => apiReference
	}
}
