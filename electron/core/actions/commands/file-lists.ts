import type {CommandArgs} from '#shared/commands/catalogue.ts'
import {type CordonError, foundOrNull, hasCode} from '#contract/errors.ts'
import type {FileList, FileListItem} from '#model/file-list.ts'

import {
	addFileListItem,
	getFileList,
	getFileListFiles,
	getFileListItem,
	getFileLists,
	removeFileListItem
} from '#core/service/api/endpoints/file-lists.ts'
import {askedAt, type WalkOptions} from '#core/service/api/pages.ts'
import type {Answered} from '#core/service/api/types.ts'
import {sendOnce, type Recovery} from './lost-answer.ts'
import {answerFacts, listOutcome, recordOutcome, reworded, walkFor} from './outcome.ts'
import type {HandlerContext, HandlerOutcome, FamilyHandlers} from './types.ts'

interface ItemArgs {
	file_list_guid: string
	sha256: string
}

const lists = ['file list', 'file lists'] as const

export const fileListHandlers: FamilyHandlers<'fileLists'> = {
	async svc_get_application_blocking(args, context) {
		return listOutcome(await getFileLists(context.client, 'application_blocking', args, learning(context)), lists)
	},

	async svc_get_simple_custom_detections(args, context) {
		return listOutcome(await getFileLists(context.client, 'simple_custom_detections', args, learning(context)), lists)
	},

	async svc_get_file_list_by_guid(args, context) {
		const answer = await getFileList(context.client, args, context.call)
		context.learn.observeFileLists([answer.data], askedAt(answer))
		return recordOutcome(answer, `The file list ${answer.data.name}.`)
	},

	async svc_get_file_list_files(args, context) {
		const listing = await getFileListFiles(context.client, args, walkFor(context))
		const where = ` on the list ${listing.list?.name ?? context.label(args.file_list_guid)}`
		const outcome = listOutcome(listing, ['hash', 'hashes'], where)
		return listing.list === null ? outcome : {...outcome, data: {...listing.list, items: listing.records}}
	},

	async svc_get_file_list_files_by_sha(args, context) {
		const answer = await aboutItem(args, context, () => getFileListItem(context.client, args, context.call))
		learnItem(args, answer.data, {at: answer.at, changed: false}, context)
		return recordOutcome(answer, `${short(args)} is on the list ${context.label(args.file_list_guid)}.`)
	},

	async svc_set_file_list_files_by_sha(args, context) {
		const send = async () => added(args, await addFileListItem(context.client, args, context.call), context)
		return await aboutItem(args, context, () => sendOnce(context, send, addRecovery(args, context)))
	},

	async svc_delete_file_list_files_by_sha(args, context) {
		const send = async (): Promise<HandlerOutcome> => {
			const answer = await removeFileListItem(context.client, args, context.call)
			learnItem(args, null, {at: answer.at, changed: true}, context)
			return {...removed(args, context), ...answerFacts(answer)}
		}
		return await aboutItem(args, context, () => sendOnce(context, send, removeRecovery(args, context)))
	}
}

function learning(context: HandlerContext): WalkOptions<FileList> {
	return walkFor(context, (_new, page) => context.learn.observeFileLists(page.page, page.sentAt))
}

function learnItem(args: ItemArgs, item: FileListItem | null, how: {at: number; changed: boolean}, context: HandlerContext) {
	context.learn.observeFileListItem(args.file_list_guid.toLowerCase(), args.sha256, item, how)
}

/** Refusals about one hash name the list, the hash and what is already so. */
async function aboutItem<T>(args: ItemArgs, context: HandlerContext, work: () => Promise<T>) {
	const list = context.label(args.file_list_guid)
	try {
		return await work()
	} catch (error) {
		if (hasCode(error, 'not_found')) throw reworded(error, missingMessage(error, args, list), {state: 'not on the list'})
		if (hasCode(error, 'conflict')) {
			throw reworded(error, `${short(args)} is already on the list ${list}.`, {state: 'on the list'})
		}
		throw error
	}
}

/** The service answers 404 for an unknown list and for a hash that is not on it; only its text tells them apart. */
function missingMessage(error: CordonError, args: ItemArgs, list: string) {
	const item = /item/i.test(error.details.service ?? '')
	return item ? `${short(args)} is not on the list ${list}.` : `${short(args)} is not on the list ${list}, or there is no such list.`
}

function added(args: CommandArgs<'svc_set_file_list_files_by_sha'>, answer: Answered<FileListItem>, context: HandlerContext) {
	const list = context.label(args.file_list_guid)
	learnItem(args, answer.data, {at: answer.at, changed: true}, context)
	return recordOutcome(answer, `${short(args)} was added to the list ${list}; computers follow with their next policy sync.`)
}

function removed(args: ItemArgs, context: HandlerContext): HandlerOutcome {
	const list = context.label(args.file_list_guid)
	return {data: null, message: `${short(args)} was removed from the list ${list}; computers follow with their next policy sync.`}
}

function addRecovery(args: CommandArgs<'svc_set_file_list_files_by_sha'>, context: HandlerContext): Recovery<Answered<FileListItem> | null> {
	return {
		read: options => foundOrNull(getFileListItem(context.client, args, options)),
		words: placeOf,
		effect: item => (item === null ? undefined : added(args, item, context))
	}
}

function removeRecovery(args: ItemArgs, context: HandlerContext): Recovery<Answered<FileListItem> | null> {
	return {
		read: options => foundOrNull(getFileListItem(context.client, args, options)),
		words: placeOf,
		effect: item => {
			if (item !== null) return undefined
			learnItem(args, null, {at: context.clock.now(), changed: true}, context)
			return removed(args, context)
		}
	}
}

function placeOf(item: Answered<FileListItem> | null) {
	return item === null ? 'not on the list' : 'on the list'
}

/** The beginning is enough to recognise a hash; sixty-four digits drown the sentence. */
function short(args: ItemArgs) {
	return `${args.sha256.slice(0, 12)}…`
}
