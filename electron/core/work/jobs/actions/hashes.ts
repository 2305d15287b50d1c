import {type CordonError, foundOrNull} from '#contract/errors.ts'
import {notSha256} from '#model/file-hash.ts'
import type {FileListItem} from '#model/file-list.ts'
import {isSameGuid, isSha256, normalSha256} from '#model/formats.ts'
import {alreadyThere, notThere} from '#model/hash-marks.ts'
import type {JobAction, ObservedState} from '#model/job.ts'

import {getFileListFiles, getFileListItem} from '#core/service/api/endpoints/file-lists.ts'
import {pageSize, type WalkOptions} from '#core/service/api/pages.ts'
import type {CallOptions} from '#core/service/api/types.ts'
import type {Action, ReadHow, ReadServices, Seen, Observations} from './types.ts'

type HashAction = Extract<JobAction, {kind: 'add_hashes' | 'remove_hashes' | 'change_hashes'}>

/** Up to so many are queried one by one while the length of the list is unknown. */
const few = 3
const patienceMs = 120_000
const addCommand = 'svc_set_file_list_files_by_sha'
const removeCommand = 'svc_delete_file_list_files_by_sha'

export function hashAction(services: ReadServices, action: HashAction): Action {
	const adds = addsTo(action)
	let listed = 0
	const areFew = ({length}: readonly string[]) => length <= Math.max(few, Math.ceil(listed / pageSize))
	const read = async (ids: readonly string[], how: ReadHow): Promise<Observations> => {
		const options: CallOptions = {signal: how.signal, purpose: 'job'}
		const at = services.clock.now()
		const found = await (areFew(ids) ? readSingly(services, action.list, ids, options) : readList(services, action.list, options))
		listed = Math.max(listed, found.size)
		return new Map(ids.map(id => [id, seenHash(id, found.get(id), at)]))
	}
	return {
		resolve: typed => (isSha256(typed) ? {id: normalSha256(typed)} : {left: {kind: 'invalid', message: notSha256(typed).message}}),
		read,
		cost: ids => (areFew(ids) ? ids.length : Math.max(1, Math.ceil((listed + ids.length) / pageSize))),
		// The label of a hash is the hash.
		leaveOut: ({observed, label}) =>
			observed['on list'] === adds(label) ? {kind: 'nothing_to_do', message: adds(label) ? alreadyThere() : notThere} : null,
		warnings: () => [],
		command: ({id, note}) => ({
			name: adds(id) ? addCommand : removeCommand,
			args: {file_list_guid: action.list, sha256: id, ...(adds(id) && note !== null && note !== '' && {description: note})}
		}),
		progress: (observed, id) => (observed['on list'] === adds(id) ? 'reached' : 'not_yet'),
		opposes: ({command, args}) =>
			isSameGuid(args?.['file_list_guid'], action.list) &&
			command === (adds(normalSha256(String(args?.['sha256']))) ? removeCommand : addCommand),
		words: observed => (observed['on list'] === true ? 'on the list' : 'not on the list'),
		answered: () => null,
		settledBy: ({code, details: {state}}, id) => settled(code, state, adds(id)),
		patienceMs,
		agents: false
	}
}

function addsTo(action: HashAction): (id: string) => boolean {
	if (action.kind !== 'change_hashes') return () => action.kind === 'add_hashes'
	const removes = new Set(action.removes)
	return id => !removes.has(id)
}

function settled(code: CordonError['code'], state: string | undefined, adds: boolean) {
	if (adds && code === 'conflict') return 'on the list'
	return !adds && code === 'not_found' && state === 'not on the list' ? state : null
}

function seenHash(id: string, item: FileListItem | undefined, at: number): Seen {
	const observed: ObservedState = {'on list': item !== undefined, ...(item !== undefined && {note: item.description ?? ''})}
	return {label: id, observed, at, row: null}
}

type Items = ReadonlyMap<string, FileListItem>

async function readSingly({client}: ReadServices, list: string, ids: readonly string[], options: CallOptions): Promise<Items> {
	const found = new Map<string, FileListItem>()
	for (const sha256 of ids) {
		const item = await foundOrNull(getFileListItem(client, {file_list_guid: list, sha256}, options))
		// A list that is gone says so when something is sent to it.
		if (item !== null) found.set(sha256, item.data)
	}
	return found
}

async function readList({client}: ReadServices, list: string, options: CallOptions): Promise<Items> {
	const found = new Map<string, FileListItem>()
	const walk: WalkOptions<FileListItem> = {
		...options,
		all: true,
		keep: false,
		onPage: (_new, {page}) => page.forEach(item => found.set(normalSha256(item.sha256), item))
	}
	const listing = await getFileListFiles(client, {file_list_guid: list}, walk)
	if (listing.error !== null) throw listing.error
	return found
}
