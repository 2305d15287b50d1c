import {getVersion} from '#core/service/api/endpoints/service.ts'
import {recordOutcome} from './outcome.ts'
import type {FamilyHandlers} from './types.ts'

export const serviceHandlers: FamilyHandlers<'service'> = {
	async svc_get_version(_args, context) {
		const answer = await getVersion(context.client, context.call)
		return recordOutcome(answer, `The service's API version is ${answer.data.version}.`)
	}
}
