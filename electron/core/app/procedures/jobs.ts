import {inPieces} from '#base/pieces.ts'
import type {PlanRequest} from '#core/work/jobs/types.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function jobProcedures({jobs}: RouterDependencies): Procedures['jobs'] {
	return {
		plan: ({input, signal}) => {
			const {connection, action, targets, stopShare, reviewed} = input
			// The schema has exactly the fields of the action.
			return jobs.plan({connection, action: action as PlanRequest['action'], targets, stopShare, reviewed, signal})
		},
		savePlan: async ({input}) => ({name: `cordon-plan-${input.id}.json`, text: await jobs.planFile(input.id)}),
		importPlan: ({input}) => jobs.importPlan(input.connection, input.text),
		// The signal ends only the reading before: a page that closes does not stop a job.
		apply: ({input, signal}) => jobs.apply({...input, signal}),
		stop: ({input}) => jobs.stop(input.id),
		resume: ({input}) => jobs.resume(input.id),
		retryPlan: ({input, signal}) => jobs.retryPlan(input.id, signal),
		list: ({input}) => jobs.list(input),
		get: ({input}) => jobs.get(input.id),
		agreed: ({input}) => jobs.agreed(input.id),
		receipts: ({input}) => jobs.receipts(input),
		export: async function* ({input: {id, format}, signal}) {
			yield* inPieces(await jobs.export(id, format), Infinity, signal)
			return {name: `cordon-job-${id}.${format}`}
		}
	}
}
