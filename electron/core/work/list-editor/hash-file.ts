/** SHA-256 of a file on this computer, read piece by piece: its size does not matter. Nothing of it is kept or sent. */
import {createHash} from 'node:crypto'
import {constants, type Stats} from 'node:fs'
import {open, type FileHandle} from 'node:fs/promises'

import {CordonError, invalidArgument, systemCode} from '#contract/errors.ts'
import type {HashStep} from '#contract/editor.ts'

const pieceBytes = 1 << 20
/** How often progress is reported, in milliseconds. */
const tellEveryMs = 100

interface HashHow {
	signal?: AbortSignal | undefined
	/** Monotonic, in milliseconds. */
	now: () => number
}

/** Tells how far it is, and at last the hash. Whoever stops listening, or aborts, ends the reading. Throws `CordonError` only. */
export async function* hashFile(path: string, {signal, now}: HashHow): AsyncGenerator<HashStep, void> {
	const {handle, before} = await opened(path)
	try {
		yield* hashed(handle, before, signal, now)
	} catch (error) {
		throw signal?.aborted === true ? new CordonError('cancelled') : asFault(error)
	} finally {
		await handle.close()
	}
}

async function* hashed(handle: FileHandle, before: Stats, signal: AbortSignal | undefined, now: () => number): AsyncGenerator<HashStep, void> {
	const hash = createHash('sha256')
	const pieces = handle.createReadStream({highWaterMark: pieceBytes, autoClose: false, signal})
	let bytes = 0
	let told = now()
	for await (const piece of pieces as AsyncIterable<Buffer>) {
		hash.update(piece)
		bytes += piece.byteLength
		if (now() - told < tellEveryMs) continue
		told = now()
		yield {kind: 'progress', bytes}
	}
	if (isOther(before, await handle.stat())) throw invalidArgument('The file changed while it was read.')
	yield {kind: 'hashed', sha256: hash.digest('hex')}
}

/** Non-blocking: opening a pipe without a writer would block. */
const forReading = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

async function opened(path: string) {
	let handle: FileHandle | undefined
	try {
		handle = await open(path, forReading)
		const before = await handle.stat()
		if (before.isFile()) return {handle, before}
	} catch (error) {
		await handle?.close()
		throw asFault(error)
	}
	await handle.close()
	throw invalidArgument('This is not a regular file.')
}

function isOther(before: Stats, after: Stats) {
	return before.size !== after.size || before.mtimeMs !== after.mtimeMs
}

const faults: Readonly<Record<string, string>> = {
	ENOENT: 'The file is not there any more.',
	EACCES: 'You may not read this file.',
	EPERM: 'You may not read this file.',
	EISDIR: 'This is not a regular file.'
}

/** Without the path: the page knows the name, and needs no more. */
function asFault(error: unknown) {
	if (error instanceof CordonError) return error
	const code = systemCode(error) ?? ''
	const message = faults[code] ?? `The file could not be read${code === '' ? '' : ` (${code})`}.`
	return new CordonError('invalid_argument', message, {field: 'ticket'}, {cause: error})
}
