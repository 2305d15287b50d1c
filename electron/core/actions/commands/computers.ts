import type {CommandArgs} from '#shared/commands/catalogue.ts'
import type {Computer} from '#model/computer.ts'
import {isSameGuid} from '#model/formats.ts'
import type {Trajectory} from '#model/trajectory.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {getActivity, getComputer, getComputers, getTrajectory, moveComputer} from '#core/service/api/endpoints/computers.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {Answered} from '#core/service/api/types.ts'
import {aboutComputer} from './about-computer.ts'
import {sendOnce, type Recovery} from './lost-answer.ts'
import {answerFacts, listOutcome, recordOutcome, walkFor} from './outcome.ts'
import type {HandlerContext, HandlerOutcome, FamilyHandlers} from './types.ts'

const noun = nouns.computer

export const computerHandlers: FamilyHandlers<'computers'> = {
	async svc_get_computers(args, context) {
		const walk = walkFor<Computer>(context, (_new, page) => context.learn.observe(page.page, page.sentAt))
		return listOutcome(await getComputers(context.client, args, walk), noun)
	},

	async svc_get_computer_by_connector(args, context) {
		const answer = await aboutComputer(context, args.connector_guid, () => getComputer(context.client, args, context.call))
		context.learn.observe([answer.data], askedAt(answer))
		const group = answer.data.groups?.[0]?.name
		const where = group === undefined ? '' : ` in the group ${group}`
		return recordOutcome(answer, `${nameOf(answer.data)}${where}.`)
	},

	async svc_get_computer_trajctory(args, context) {
		const answer = await aboutComputer(context, args.connector_guid, () => getTrajectory(context.client, args, context.call))
		context.learn.observe([answer.data.computer], askedAt(answer))
		context.onRecords(answer.data.events)
		return trajectoryOutcome(answer, args.limit)
	},

	async svc_move_computer(args, context) {
		const send = async () => {
			const answer = await moveComputer(context.client, args, context.call)
			context.learn.observe([answer.data], answer.at)
			return recordOutcome(answer, movedMessage(args, answer.data, context))
		}
		return await aboutComputer(context, args.connector_guid, () => sendOnce(context, send, moveRecovery(args, context)))
	},

	async svc_get_computer_activity(args, context) {
		const listing = await getActivity(context.client, args, walkFor(context))
		return listOutcome(listing, noun, ` ${formOf(listing.records.length, ['has', 'have'])} seen it`)
	}
}

function trajectoryOutcome(answer: Answered<Trajectory>, limit: number | undefined): HandlerOutcome {
	const {computer, events} = answer.data
	const fewer = limit !== undefined && events.length < limit
	const asked = fewer ? ` ${formatCount(limit)} were asked for: the service gave fewer, and a trajectory cannot be paged.` : ''
	return {data: answer.data, message: `The newest ${counted(events.length, nouns.event)} of ${nameOf(computer)}.${asked}`, ...answerFacts(answer)}
}

function movedMessage(args: CommandArgs<'svc_move_computer'>, computer: Computer, context: HandlerContext) {
	const group = computer.groups?.find(one => isSameGuid(one.guid, args.group_guid))?.name ?? context.label(args.group_guid)
	// The answer, not the request, tells where the computer is.
	if (!isSameGuid(computer.group_guid, args.group_guid))
		return `The service accepted the move of ${nameOf(computer)} to the group ${group}. Waiting for confirmation.`
	return `${nameOf(computer)} is in the group ${group} now; its policy follows with its next policy sync.`
}

function moveRecovery(args: CommandArgs<'svc_move_computer'>, context: HandlerContext): Recovery<Answered<Computer>> {
	return {
		read: async options => {
			const answer = await getComputer(context.client, args, options)
			context.learn.observe([answer.data], askedAt(answer))
			return answer
		},
		words: ({data}) => (data.group_guid === undefined ? 'in no known group' : `in the group ${context.label(data.group_guid)}`),
		effect: answer =>
			isSameGuid(answer.data.group_guid, args.group_guid) ? recordOutcome(answer, movedMessage(args, answer.data, context)) : undefined
	}
}

function nameOf(computer: Computer) {
	return computer.hostname ?? computer.connector_guid
}
