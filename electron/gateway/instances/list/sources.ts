/** The sources of a list, as lines. Each is complete or fails: a partial list is not used. */
import {constants} from 'node:fs'
import {open, stat, writeFile, type FileHandle} from 'node:fs/promises'
import {join} from 'node:path'

import {CordonError, messageOf, invalidArgument} from '#contract/errors.ts'
import type {ListSource} from '#model/instance.ts'

import {linesOfFile, linesOfText, type Batch} from './lines.ts'

/** SHA-256 hashes of a file list of the service, streamed; rejects when incomplete. */
export type FetchFileList = (connection: string, guid: string, signal: AbortSignal) => AsyncIterable<string>

/** A source readable by a build itself. */
export interface LocalSource {
	/** Its name for operators. */
	readonly name: string
	readonly from: {text: string} | {path: string}
	/** Characters or bytes, as far as known before reading. */
	readonly size: number
}

export function linesOfSource({from}: LocalSource, signal: AbortSignal): AsyncIterable<Batch> | Iterable<Batch> {
	return 'text' in from ? linesOfText(from.text) : ofFile(from.path, signal)
}

/** Downloads remote sources into files of `folder`. Rejects with a `CordonError` that names the source. */
export async function localSources(
	sources: readonly ListSource[],
	fetch: FetchFileList,
	folder: string,
	signal: AbortSignal
): Promise<readonly LocalSource[]> {
	const local: LocalSource[] = []
	for (const [index, source] of sources.entries()) {
		const name = sourceName(source)
		try {
			local.push({name, ...(await localSource(source, fetch, join(folder, `source-${index}`), signal))})
		} catch (error) {
			signal.throwIfAborted()
			throw sourceFailed(name, error)
		}
	}
	return local
}

async function localSource(source: ListSource, fetch: FetchFileList, path: string, signal: AbortSignal) {
	if (source.kind === 'text') return {from: {text: source.text}, size: source.text.length}
	if (source.kind === 'file') return {from: {path: source.path}, size: (await stat(source.path)).size}
	await writeFile(path, inBatches(fetch(source.connection, source.guid, signal), signal), {mode: 0o600})
	return {from: {path}, size: (await stat(path)).size}
}

function sourceName(source: ListSource) {
	if (source.kind === 'text') return 'the pasted text'
	return source.kind === 'file' ? `the file ${source.path}` : `the file list ${source.guid}`
}

export function sourceFailed(name: string, error: unknown) {
	const reason = messageOf(error)
	const code = error instanceof CordonError ? error.code : 'storage'
	const message = `The list was not rebuilt: ${name} could not be read whole. ${reason}`
	return new CordonError(code, message, {}, {cause: error})
}

async function* inBatches(values: AsyncIterable<string>, signal: AbortSignal) {
	let batch = ''
	for await (const value of values) {
		signal.throwIfAborted()
		batch += `${value}\n`
		if (batch.length < 65_536) continue
		yield batch
		batch = ''
	}
	yield batch
}

async function* ofFile(path: string, signal: AbortSignal) {
	// Otherwise a pipe without a writer would never open.
	const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
	try {
		const before = await stampOf(file, path)
		yield* linesOfFile(file, signal)
		if ((await stampOf(file, path)) !== before) {
			throw new CordonError('busy', `The file ${path} was changed while it was read.`, {field: 'sources'})
		}
	} finally {
		await file.close()
	}
}

/** Detects a file being written. */
async function stampOf(file: FileHandle, path: string) {
	const stat = await file.stat({bigint: true})
	if (!stat.isFile()) throw invalidArgument(`${path} is not a file.`, 'sources')
	return `${stat.size} ${stat.mtimeNs}`
}
