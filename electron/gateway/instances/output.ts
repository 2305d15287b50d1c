import type {Readable} from 'node:stream'
import {StringDecoder} from 'node:string_decoder'

import type {InstanceDetail} from '#contract/instances.ts'

type Line = InstanceDetail['output'][number]

/** The last output lines of a program, oldest first. */
export type Output = ReturnType<typeof createOutput>

const mostLines = 1000
const longestLine = 4096

/** `onLine` gets each line. */
export function createOutput(now: () => number, onLine?: (line: Line) => void) {
	let lines: Line[] = []
	let count = 0
	const add = (stream: Line['stream'], text: string) => {
		const cut = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text
		count += 1
		const line = {at: new Date(now()).toISOString(), stream, text: cut}
		lines.push(line)
		onLine?.(line)
		// Only now and then: moving a thousand lines costs more than keeping a few extra.
		if (lines.length > mostLines + 200) lines = lines.slice(-mostLines)
	}
	return {
		lines: () => lines.slice(-mostLines),
		/** Total number so far. */
		count: () => count,
		add,
		capture(stream: Line['stream'], from: Readable) {
			const decoder = new StringDecoder('utf8')
			let rest = ''
			from.on('data', (chunk: Buffer) => {
				const parts = (rest + decoder.write(chunk)).split(/\r?\n/)
				rest = parts.pop() ?? ''
				for (const part of parts) add(stream, part)
				// A line without an end is split, not collected.
				if (rest.length <= longestLine) return
				add(stream, rest)
				rest = ''
			})
			from.on('end', () => rest !== '' && add(stream, rest))
			from.on('error', () => {})
		}
	}
}
