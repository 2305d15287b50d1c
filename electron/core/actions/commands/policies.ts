import {getPolicies, getPolicy} from '#core/service/api/endpoints/policies.ts'
import {askedAt} from '#core/service/api/pages.ts'
import {listOutcome, recordOutcome, walkFor} from './outcome.ts'
import type {FamilyHandlers} from './types.ts'

export const policyHandlers: FamilyHandlers<'policies'> = {
	async svc_get_policies(args, context) {
		return listOutcome(
			await getPolicies(
				context.client,
				args,
				walkFor(context, (_new, page) => context.learn.observePolicies(page.page, page.sentAt))
			),
			['policy', 'policies']
		)
	},

	async svc_get_policy(args, context) {
		const answer = await getPolicy(context.client, args, context.call)
		context.learn.observePolicies([answer.data], askedAt(answer))
		return recordOutcome(answer, `The policy ${answer.data.name} for ${answer.data.product}.`)
	}
}
