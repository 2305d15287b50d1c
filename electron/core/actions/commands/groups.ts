import {hasCode} from '#contract/errors.ts'

import type {CommandArgs} from '#shared/commands/catalogue.ts'
import type {Group} from '#model/group.ts'
import {asSentence} from '#shared/sentence.ts'
import {formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {getGroup, getGroups, setGroupPolicies} from '#core/service/api/endpoints/groups.ts'
import {askedAt} from '#core/service/api/pages.ts'
import type {Answered} from '#core/service/api/types.ts'
import {sendOnce, type Recovery} from './lost-answer.ts'
import {listOutcome, recordOutcome, reworded, walkFor} from './outcome.ts'
import type {HandlerContext, FamilyHandlers} from './types.ts'

type PolicyArgs = CommandArgs<'svc_set_group_policy'>

export const groupHandlers: FamilyHandlers<'groups'> = {
	async svc_get_groups(args, context) {
		const walk = walkFor<Group>(context, (_new, page) => context.learn.observeGroups(page.page, page.sentAt))
		return listOutcome(await getGroups(context.client, args, walk), nouns.group)
	},

	async svc_get_group(args, context) {
		const answer = await aboutGroup(context, args.group_guid, () => getGroup(context.client, args, context.call))
		context.learn.observeGroups([answer.data], askedAt(answer))
		return recordOutcome(answer, `The group ${answer.data.name}.`)
	},

	async svc_set_group_policy(args, context) {
		const send = async () => setMessage(args, await setGroupPolicies(context.client, args, context.call), context)
		return await aboutGroup(context, args.group_guid, () => sendOnce(context, send, recovery(args, context)), ', or no such policy')
	}
}

async function aboutGroup<T>(context: HandlerContext, guid: string, work: () => Promise<T>, orPolicy = '') {
	try {
		return await work()
	} catch (error) {
		if (!hasCode(error, 'not_found')) throw error
		const text = `The service has no group ${context.label(guid)}${orPolicy}; it may have been deleted elsewhere.`
		throw reworded(error, error.details.service === undefined ? text : asSentence(`${text} It says: ${error.details.service}`))
	}
}

function setMessage(args: PolicyArgs, answer: Answered<Group>, context: HandlerContext) {
	context.learn.observeGroups([answer.data], answer.at)
	const names = wanted(args).map(guid => policyName(answer.data, guid) ?? context.label(guid))
	return recordOutcome(
		answer,
		`The group ${answer.data.name} has the ${formOf(names.length, nouns.policy)} ${names.join(', ')} now; its computers follow with their next policy sync.`
	)
}

function recovery(args: PolicyArgs, context: HandlerContext): Recovery<Answered<Group>> {
	return {
		read: options => getGroup(context.client, args, options),
		words: answer => `its policies are ${policyList(answer.data)}`,
		effect: answer => (holds(args, answer.data) ? setMessage(args, answer, context) : undefined)
	}
}

function holds(args: PolicyArgs, group: Group) {
	return wanted(args).every(guid => policyName(group, guid) !== undefined)
}

function wanted(args: PolicyArgs) {
	const given = [args.linux_policy_guid, args.android_policy_guid, args.mac_policy_guid, args.windows_policy_guid]
	return given.filter(guid => guid !== undefined)
}

function policyName(group: Group, guid: string) {
	return group.policies?.find(policy => policy.guid.toLowerCase() === guid)?.name
}

function policyList(group: Group) {
	const names = (group.policies ?? []).map(policy => `${policy.name} (${policy.product})`)
	return names.length === 0 ? 'not known' : names.join(', ')
}
