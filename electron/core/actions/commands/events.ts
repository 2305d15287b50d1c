import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {getEvents, getEventTypes} from '#core/service/api/endpoints/events.ts'
import {answerFacts, listOutcome, walkFor} from './outcome.ts'
import type {FamilyHandlers} from './types.ts'

export const eventHandlers: FamilyHandlers<'events'> = {
	async svc_get_events(args, context) {
		return listOutcome(await getEvents(context.client, args, walkFor(context)), nouns.event)
	},

	async svc_get_event_types(_args, context) {
		const answer = await getEventTypes(context.client, context.call)
		context.onRecords(answer.data)
		const message = `${counted(answer.data.length, ['event type', 'event types'])}.`
		return {data: answer.data, message, total: answer.data.length, ...answerFacts(answer)}
	}
}
