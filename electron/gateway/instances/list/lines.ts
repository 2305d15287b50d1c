/** Lines of files and texts in batches: a million of them, one await for each thousand. */
import {open, type FileHandle} from 'node:fs/promises'
import {StringDecoder} from 'node:string_decoder'

export type Batch = readonly string[]

const chunkBytes = 65_536
/** No list has longer values; the rest of such a line is skipped. */
export const longestLine = 8192

/** Lines without line ends, of an open file from its beginning. Does not close it. */
export async function* linesOfFile(file: FileHandle, signal?: AbortSignal): AsyncGenerator<Batch> {
	const decoder = new StringDecoder('utf8')
	const buffer = Buffer.allocUnsafe(chunkBytes)
	const cutter = lineCutter()
	for (let at = 0; ;) {
		signal?.throwIfAborted()
		const {bytesRead} = await file.read(buffer, 0, chunkBytes, at)
		if (bytesRead === 0) break
		const text = decoder.write(buffer.subarray(0, bytesRead))
		yield cutter.push(at === 0 ? text.replace(/^\uFEFF/, '') : text)
		at += bytesRead
	}
	yield cutter.rest(decoder.end())
}

/** Of a file by path, closed at the end. */
export async function* linesAt(path: string, signal?: AbortSignal): AsyncGenerator<Batch> {
	const file = await open(path, 'r')
	try {
		yield* linesOfFile(file, signal)
	} finally {
		await file.close()
	}
}

/** Of a text in memory. */
export function* linesOfText(text: string): Generator<Batch> {
	const cutter = lineCutter()
	for (let at = 0; at < text.length; at += chunkBytes) {
		const part = text.slice(at, at + chunkBytes)
		yield cutter.push(at === 0 ? part.replace(/^\uFEFF/, '') : part)
	}
	yield cutter.rest('')
}

function lineCutter(): {push(text: string): Batch; rest(text: string): Batch} {
	let open = ''
	const push = (text: string) => {
		const lines = (open + text).split('\n')
		// A line without an end must not grow without limit; one longer than any value is reported as invalid.
		open = (lines.pop() ?? '').slice(0, longestLine + 1)
		return lines.map(withoutReturn)
	}
	return {
		push,
		rest: text => {
			const lines = push(text)
			return open === '' ? lines : [...lines, withoutReturn(open)]
		}
	}
}

function withoutReturn(line: string) {
	return line.endsWith('\r') ? line.slice(0, -1) : line
}
