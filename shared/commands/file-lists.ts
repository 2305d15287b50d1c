import {nouns} from '../text/terms.ts'
import {guid, limit, offset, repeated, required, sha256, text} from './arg.ts'
import {defineCommand} from './define.ts'

const listColumns = [
	['Name', 'name'],
	['GUID', 'guid'],
	['Type', 'type']
] as const

const itemColumns = [
	['SHA-256', 'sha256'],
	['Description', 'description'],
	['Source', 'source']
] as const

const collectionArgs = {
	limit: limit(),
	offset: offset(),
	name: repeated(text('Name of a list; several are OR-ed. Repeat the argument for each: names may contain commas.'))
}
const fileListGuid = required(guid('The file list.', 'file_list'))
const hash = required(sha256('The SHA-256 of the file, 64 hexadecimal digits.'))

const getApplicationBlocking = defineCommand({
	name: 'svc_get_application_blocking',
	title: 'List application blocking lists',
	summary: 'Lists the file lists of the application blocking kind.',
	risk: 'read',
	request: 'GET /v1/file_lists/application_blocking',
	args: collectionArgs,
	paged: true,
	result: {kind: 'list', noun: nouns.fileList, columns: listColumns},
	examples: ['svc_get_application_blocking limit=10']
})

const getSimpleCustomDetections = defineCommand({
	name: 'svc_get_simple_custom_detections',
	title: 'List simple custom detections',
	summary: 'Lists the file lists of the simple custom detections kind.',
	risk: 'read',
	request: 'GET /v1/file_lists/simple_custom_detections',
	args: collectionArgs,
	paged: true,
	result: {kind: 'list', noun: nouns.fileList, columns: listColumns},
	examples: ['svc_get_simple_custom_detections name="Incident response"']
})

const getFileListByGuid = defineCommand({
	name: 'svc_get_file_list_by_guid',
	title: 'Show one file list',
	summary: 'Shows one file list by its GUID.',
	risk: 'read',
	request: 'GET /v1/file_lists/{file_list_guid}',
	args: {file_list_guid: fileListGuid},
	positional: 'file_list_guid',
	result: {kind: 'record', noun: nouns.fileList, columns: listColumns},
	examples: ['svc_get_file_list_by_guid file_list_guid=382bb653-e866-4459-b3dd-d2028e1307e9']
})

const getFileListFiles = defineCommand({
	name: 'svc_get_file_list_files',
	title: 'List the hashes of a file list',
	summary: 'Lists the hashes on one file list.',
	risk: 'read',
	request: 'GET /v1/file_lists/{file_list_guid}/files',
	args: {file_list_guid: fileListGuid, limit: limit(), offset: offset()},
	positional: 'file_list_guid',
	paged: true,
	result: {kind: 'list', noun: nouns.hash, columns: itemColumns},
	examples: ['svc_get_file_list_files file_list_guid=382bb653-e866-4459-b3dd-d2028e1307e9 limit=50']
})

const getFileListFilesBySha = defineCommand({
	name: 'svc_get_file_list_files_by_sha',
	title: 'Show one hash of a file list',
	summary: 'Shows one hash of a file list, or says that it is not on it.',
	risk: 'read',
	request: 'GET /v1/file_lists/{file_list_guid}/files/{sha256}',
	args: {file_list_guid: fileListGuid, sha256: hash},
	positional: 'sha256',
	result: {kind: 'record', noun: nouns.hash, columns: itemColumns},
	examples: [
		'svc_get_file_list_files_by_sha file_list_guid=382bb653-e866-4459-b3dd-d2028e1307e9 sha256=3091e2abfb55d05d6284b6c4b058b62c8c28afc1d883b699e9a2b5482ec6fd51'
	]
})

const setFileListFilesBySha = defineCommand({
	name: 'svc_set_file_list_files_by_sha',
	title: 'Add a hash to a file list',
	summary: 'Adds one SHA-256 to a file list.',
	notes: [
		'Added to the list is not enforced: computers pick it up with their next policy sync.',
		'A hash that was seen as clean or on many computers, or that is a program of this system, needs confirm with its first 8 digits, and a reason where it is asked for.',
		'It can be undone for 24 hours.'
	],
	risk: 'change',
	guard: {action: 'add_hashes', of: 'sha256'},
	request: 'POST /v1/file_lists/{file_list_guid}/files/{sha256}',
	args: {file_list_guid: fileListGuid, sha256: hash, description: text('A note that stands beside the hash.')},
	positional: 'sha256',
	result: {kind: 'record', noun: nouns.hash, columns: itemColumns},
	examples: [
		'svc_set_file_list_files_by_sha file_list_guid=382bb653-e866-4459-b3dd-d2028e1307e9 sha256=3091e2abfb55d05d6284b6c4b058b62c8c28afc1d883b699e9a2b5482ec6fd51 description="dropper"'
	]
})

const deleteFileListFilesBySha = defineCommand({
	name: 'svc_delete_file_list_files_by_sha',
	title: 'Remove a hash from a file list',
	summary: 'Removes one SHA-256 from a file list.',
	notes: ['It can be undone for 24 hours, with its note. The note is read first where the list was not read in the last 5 minutes: one call.'],
	risk: 'change',
	guard: {action: 'remove_hashes', of: 'sha256'},
	request: 'DELETE /v1/file_lists/{file_list_guid}/files/{sha256}',
	args: {file_list_guid: fileListGuid, sha256: hash},
	positional: 'sha256',
	result: {kind: 'none', noun: nouns.hash, columns: []},
	examples: [
		'svc_delete_file_list_files_by_sha file_list_guid=382bb653-e866-4459-b3dd-d2028e1307e9 sha256=3091e2abfb55d05d6284b6c4b058b62c8c28afc1d883b699e9a2b5482ec6fd51'
	]
})

export const fileListCommands = [
	getApplicationBlocking,
	getFileListByGuid,
	getSimpleCustomDetections,
	getFileListFiles,
	getFileListFilesBySha,
	setFileListFilesBySha,
	deleteFileListFilesBySha
] as const
