import {member} from '#shared/is-record.ts'
import {
	fileListFilesSchema,
	fileListItemSchema,
	fileListSchema,
	type FileList,
	type FileListFiles,
	type FileListItem,
	type FileListType
} from '#model/file-list.ts'

import {checkGuid, checkSha256, checkText} from '../checks.ts'
import type {Listing, WalkOptions} from '../pages.ts'
import type {Answered, ApiClient, ApiRequest, CallOptions, Method} from '../types.ts'
import {callFor, factsOf, list, many, parseData, type Told, type Range} from './endpoint.ts'

/** GET `/v1/file_lists/application_blocking` or `/v1/file_lists/simple_custom_detections`. */
export async function getFileLists(
	client: ApiClient,
	type: FileListType,
	args: Range & {name?: readonly string[] | undefined},
	walk?: WalkOptions<FileList>
): Promise<Listing<FileList>> {
	const query = many(args, 'name', checkText)
	return list<FileList>(client, {path: ['file_lists', type], query, shape: fileListSchema, key: record => record.guid}, args, walk)
}

/** GET `/v1/file_lists/{file_list_guid}`. */
export async function getFileList(client: ApiClient, args: {file_list_guid: string}, options?: CallOptions): Promise<Answered<FileList>> {
	const guid = checkGuid('file_list_guid', args.file_list_guid)
	return callFor(client, {method: 'GET', path: ['file_lists', guid]}, fileListSchema, options)
}

/** The hashes of a list, with what the answer says of the list itself (`null` when no page could be read). */
interface FilesListing extends Listing<FileListItem> {
	list: Omit<FileListFiles, 'items'> | null
}

/** GET `/v1/file_lists/{file_list_guid}/files`, whose `data` is an object with `items`. */
export async function getFileListFiles(
	client: ApiClient,
	args: Range & {file_list_guid: string},
	walk?: WalkOptions<FileListItem>
): Promise<FilesListing> {
	const guid = checkGuid('file_list_guid', args.file_list_guid)
	let head: Omit<FileListFiles, 'items'> | null = null
	const itemsOf = (data: unknown, request: ApiRequest, answer: Told) => {
		const given = {...answer, body: {data: typeof data === 'object' ? {...data, items: []} : data}}
		const {items: _items, ...rest} = parseData(request, given, fileListFilesSchema)
		head = rest
		return member(data, 'items')
	}
	const listing = await list(
		client,
		{path: ['file_lists', guid, 'files'], query: [], shape: fileListItemSchema, itemsOf, key: record => record.sha256.toLowerCase()},
		args,
		walk
	)
	return {...listing, list: head}
}

interface Item {
	file_list_guid: string
	sha256: string
}

/** GET `…/files/{sha256}`; `not_found` when the hash is not on the list. */
export async function getFileListItem(client: ApiClient, args: Item, options?: CallOptions): Promise<Answered<FileListItem>> {
	return callFor(client, itemRequest('GET', args), fileListItemSchema, options)
}

/** POST `…/files/{sha256}`; `conflict` when the hash is already on the list. */
export async function addFileListItem(
	client: ApiClient,
	args: Item & {description?: string | undefined},
	options: CallOptions
): Promise<Answered<FileListItem>> {
	const body = args.description === undefined ? {} : {body: {description: checkText('description', args.description)}}
	return callFor(client, {...itemRequest('POST', args), ...body}, fileListItemSchema, options)
}

/** DELETE `…/files/{sha256}`; `not_found` when the hash is not on the list. The answer's `data` says nothing. */
export async function removeFileListItem(client: ApiClient, args: Item, options: CallOptions): Promise<Answered<null>> {
	return {...factsOf(await client.call(itemRequest('DELETE', args), options)), data: null}
}

function itemRequest(method: Method, args: Item): ApiRequest {
	const path = ['file_lists', checkGuid('file_list_guid', args.file_list_guid), 'files', checkSha256('sha256', args.sha256)]
	return {method, path}
}
