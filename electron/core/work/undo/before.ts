/**
 * What is there before a change, so that it can be undone: from the local copy while that is as fresh as screens
 * keep it, else by one call. It never holds up a change: what cannot be read is not known.
 */
import type {ObservedState} from '#model/job.ts'

import {getComputer} from '#core/service/api/endpoints/computers.ts'
import {getFileListItem} from '#core/service/api/endpoints/file-lists.ts'
import {getGroup} from '#core/service/api/endpoints/groups.ts'
import type {ApiClient, CallOptions} from '#core/service/api/types.ts'
import type {Before, BeforeRequest, LookBefore} from '#core/actions/commands/types.ts'
import {undoable, whyNot} from './changes.ts'
import type {BeforeSources, CopiesBefore} from './types.ts'

/** As old as the lists of the screens may become. */
const freshMs = 5 * 60_000
/** A change that is meant waits no longer for this. */
const readMs = 20_000

type Text = (argument: string) => string

/** What a local copy knows, and since when, in Unix milliseconds. */
interface Known {
	observed: ObservedState
	at: number
}

interface Way {
	known: (text: Text, copies: CopiesBefore) => Known | undefined
	/** `null`: the service has no such object, which the change itself will tell. */
	read: (client: ApiClient, text: Text, options: CallOptions) => Promise<ObservedState | null>
}

/** The one who is going to change something asks; nothing is read for a command that is on no undo list. */
export function lookBefore(sources: BeforeSources): LookBefore {
	return async request => {
		const change = undoable(request.name, request.args)
		if (change === undefined) return undefined
		const observed = await observedNow(sources, request)
		return {observed, impossible: whyNot(change, observed)}
	}
}

/** What the local copies say of it whatever their age, and how many calls a look would take. Reads nothing. */
export function outlookOf(
	sources: Omit<BeforeSources, 'client'>,
	request: Omit<BeforeRequest, 'signal'>
): (Pick<Before, 'impossible'> & {calls: 0 | 1}) | undefined {
	const change = undoable(request.name, request.args)
	if (change === undefined) return undefined
	const known = knownOf(sources, request)
	const calls = known === undefined || !isFresh(sources, known) ? 1 : 0
	return {impossible: known === undefined ? null : whyNot(change, known.observed), calls}
}

async function observedNow(sources: BeforeSources, request: BeforeRequest) {
	const known = knownOf(sources, request)
	if (known !== undefined && isFresh(sources, known)) return known.observed
	const {connection, signal} = request
	const options: CallOptions = {signal, deadlineMs: readMs, maxQuotaWaitMs: 0}
	try {
		return (await ways[request.name]?.read(sources.client(connection), textOf(request), options)) ?? null
	} catch (error) {
		if (signal?.aborted === true) throw error
		return null
	}
}

/** A copy that cannot be read knows nothing. */
function knownOf(sources: Omit<BeforeSources, 'client'>, request: Omit<BeforeRequest, 'signal'>) {
	try {
		return ways[request.name]?.known(textOf(request), {
			inventory: sources.inventory(request.connection),
			directory: sources.directory(request.connection),
			now: sources.clock.now()
		})
	} catch {
		return undefined
	}
}

function isFresh({clock}: Pick<BeforeSources, 'clock'>, {at}: Known) {
	return Math.abs(clock.now() - at) <= freshMs
}

function textOf({args}: Pick<BeforeRequest, 'args'>): Text {
	return argument => String(args[argument] ?? '').toLowerCase()
}

const ways: Readonly<Record<string, Way>> = {
	svc_move_computer: {
		known: (text, {inventory}) => {
			const row = inventory?.row(text('connector_guid'))
			return row === undefined ? undefined : {observed: groupOf(row.groupGuid), at: Date.parse(row.readAt)}
		},
		read: async (client, text, options) => {
			const {data} = await getComputer(client, {connector_guid: text('connector_guid')}, options)
			return groupOf(data.group_guid)
		}
	},
	svc_set_group_policy: {
		known: (text, {directory}) => {
			const found = directory?.policiesOf(text('group_guid'))
			return found === undefined || found === null ? undefined : {observed: policiesOf(found.policies), at: found.at}
		},
		read: async (client, text, options) => {
			const {data} = await getGroup(client, {group_guid: text('group_guid')}, options)
			return data.policies === undefined ? null : policiesOf(data.policies)
		}
	},
	svc_delete_file_list_files_by_sha: {
		known: (text, {directory}) => {
			const held = directory?.holding(text('sha256')).find(({list}) => list.guid === text('file_list_guid'))
			const at = held?.list.itemsRead.at ?? null
			return held === undefined || at === null ? undefined : {observed: onList(held.item.description), at: Date.parse(at)}
		},
		read: async (client, text, options) => {
			const item = {file_list_guid: text('file_list_guid'), sha256: text('sha256')}
			return onList((await getFileListItem(client, item, options)).data.description ?? '')
		}
	},
	// The service refuses a hash that is on the list already: whatever it took was not there.
	svc_set_file_list_files_by_sha: {
		known: (_text, {now}) => ({observed: {'on list': false}, at: now}),
		read: () => Promise.resolve({'on list': false})
	}
}

function groupOf(guid: string | undefined): ObservedState {
	return {group: guid === undefined || guid === '' ? null : guid.toLowerCase()}
}

function onList(note: string): ObservedState {
	return {'on list': true, note}
}

function policiesOf(policies: readonly {product: string; guid: string; inherited?: boolean | undefined}[]): ObservedState {
	return Object.fromEntries(
		policies.flatMap(({product, guid, inherited}) => [
			[product, guid.toLowerCase()],
			...(inherited === true ? [[`${product} inherited`, true] as const] : [])
		])
	)
}
