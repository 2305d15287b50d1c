/**
 * Results go to stdout, messages to stderr. All output passes here, including foreign names: no control sequence reaches the
 * terminal (OSC 52 would write the clipboard).
 */
import {finished} from 'node:stream'

import {stringifyExact} from '#model/exact-json.ts'
import {CordonError} from '#contract/errors.ts'
import {showUnseen, showUnseenInJson, showUnseenInLines} from '#text/foreign.ts'

import type {CliHost} from './host.ts'
import {cut} from './terminal-table.ts'

type OutputMode = 'text' | 'json' | 'jsonl'

export interface Output {
	readonly mode: OutputMode
	/** Terminal columns of stdout; `null` without a terminal. */
	readonly width: number | null
	/** Whether a person sees stderr, on a terminal that can overwrite a line. */
	readonly talksToTerminal: boolean
	/** Aborted when the reader of stdout has gone (`cancelled`), or what was printed is lost. */
	readonly gone: AbortSignal
	/** Prints a text to stdout with a line end. */
	print(text: string): void
	/** Writes a text to stdout unchanged; on a terminal, invisible characters are made visible. */
	raw(text: string): void
	/** A JSON document as it is read back: invisible characters are escaped. */
	file(json: string): void
	/** One value as one line of JSON with exact integers. */
	json(value: unknown): void
	/** Prints a line to stderr. */
	say(text: string): void
	/** On a terminal one line that is overwritten; otherwise nothing. */
	status(text: string): void
	/** Resolves when stdout accepts more. */
	room(): Promise<void>
	/** Resolves when all is written. */
	flush(): Promise<void>
}

const clearLine = '\r\u001b[2K'

export function createOutput({stdout, stderr, environment}: Pick<CliHost, 'stdout' | 'stderr' | 'environment'>, mode: OutputMode): Output {
	const talksToTerminal = Boolean(stderr.isTTY) && environment['TERM'] !== 'dumb'
	const gone = new AbortController()
	let statusShown = false
	stdout.on('error', error => gone.abort(whyGone(error)))
	// stderr carries only messages: without a reader the work continues.
	stderr.on('error', () => {})
	const write = (text: string) => {
		if (!gone.signal.aborted) stdout.write(text)
	}
	const file = (json: string) => write(`${showUnseenInJson(json.trimEnd())}\n`)
	const endStatus = () => {
		if (statusShown) stderr.write(clearLine)
		statusShown = false
	}
	return {
		mode,
		width: stdout.isTTY ? (columnsOf(stdout) ?? 80) : null,
		talksToTerminal,
		gone: gone.signal,
		print: text => {
			endStatus()
			write(`${showUnseenInLines(text)}\n`)
		},
		raw: text => write(stdout.isTTY ? showUnseenInLines(text) : text),
		file,
		json: value => file(stringifyExact(value)),
		say: text => {
			endStatus()
			stderr.write(`${showUnseenInLines(text)}\n`)
		},
		status: text => {
			if (!talksToTerminal) return
			statusShown = true
			stderr.write(`${clearLine}${cut(showUnseen(text), (columnsOf(stderr) ?? 80) - 1)}`)
		},
		room: async () => {
			if (stdout.writableNeedDrain) await drained(stdout)
		},
		flush: async () => {
			endStatus()
			await drained(stdout)
			await drained(stderr)
		}
	}
}

function whyGone({code = 'EPIPE', message}: NodeJS.ErrnoException) {
	if (['EPIPE', 'ECONNRESET', 'EOF'].includes(code)) return new CordonError('cancelled', 'Nobody reads the output any more.')
	return new CordonError(code === 'ENOSPC' ? 'disk_full' : 'storage', `The output could not be written: ${message}.`)
}

/** A stream that failed has nothing more to drain; its error is told in the next turn. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
	return new Promise(resolve => {
		if (stream.destroyed || !stream.writable) return void setImmediate(resolve)
		const forget = finished(stream, {readable: false}, () => resolve())
		stream.write('', () => {
			forget()
			resolve()
		})
	})
}

/** `null`: unknown. Serial lines and some pseudo-terminals report 0 columns. */
export function columnsOf({columns = 0}: {columns?: number}): number | null {
	return columns > 0 ? columns : null
}
