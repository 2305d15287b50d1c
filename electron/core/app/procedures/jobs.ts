import type {PlanRequest} from '#core/work/jobs/types.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

const mediaTypes = {csv: 'text/csv', json: 'application/json'} as const

export function jobProcedures(os: Implementer, {jobs}: RouterDependencies) {
	const routes = os.jobs
	return {
		plan: routes.plan.handler(({input, signal}) => {
			const {connection, action, targets, stopShare, reviewed} = input
			// The schema has exactly the fields of the action.
			return jobs.plan({connection, action: action as PlanRequest['action'], targets, stopShare, reviewed, signal})
		}),
		savePlan: routes.savePlan.handler(async ({input}) => ({
			name: `cordon-plan-${input.id}.json`,
			mediaType: 'application/json',
			text: await jobs.planFile(input.id),
		})),
		importPlan: routes.importPlan.handler(({input}) => jobs.importPlan(input.connection, input.text)),
		// The signal ends only the reading before: a page that closes does not stop a job.
		apply: routes.apply.handler(({input, signal}) => jobs.apply({...input, signal})),
		stop: routes.stop.handler(({input}) => jobs.stop(input.id)),
		resume: routes.resume.handler(({input}) => jobs.resume(input.id)),
		retryPlan: routes.retryPlan.handler(({input, signal}) => jobs.retryPlan(input.id, signal)),
		list: routes.list.handler(({input}) => jobs.list(input.connection)),
		get: routes.get.handler(({input}) => jobs.get(input.id)),
		agreed: routes.agreed.handler(({input}) => jobs.agreed(input.id)),
		receipts: routes.receipts.handler(({input}) => jobs.receipts(input)),
		export: routes.export.handler(async ({input}) => ({
			name: `cordon-job-${input.id}.${input.format}`,
			mediaType: mediaTypes[input.format],
			text: [...(await jobs.export(input.id, input.format))].join(''),
		})),
	}
}
