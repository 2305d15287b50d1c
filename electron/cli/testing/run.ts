/** Runs the command line inside the test's process: real profile, real server, captured streams. */
import {PassThrough} from 'node:stream'

import {localFiles} from '../files.ts'
import type {CliHost} from '../host.ts'
import {runCli} from '../main.ts'

export interface Ran {
	code: number
	out: string
	err: string
}

export interface RunOptions {
	stdin?: string
	/** Standard input is a terminal; each prompt gets the next of these. */
	typed?: readonly string[]
	signal?: AbortSignal
	/** Ctrl+C twice. */
	left?: Promise<unknown>
	environment?: CliHost['environment']
	/** Terminal columns of stdout. */
	terminal?: number
	/** Called with stdout as it grows. */
	onOut?: (out: string) => void
}

export async function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
	const {host, out, err} = makeHost(options)
	const code = await runCli(argv, host)
	return {code, out: out(), err: err()}
}

export function makeHost(options: RunOptions = {}): {host: CliHost; out: () => string; err: () => string} {
	const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
	if (options.typed === undefined) stdin.end(options.stdin ?? '')
	else typeOn(stdin, [...options.typed])
	if (options.terminal !== undefined) Object.assign(stdout, {isTTY: true, columns: options.terminal})
	const [stop, cut] = [new AbortController(), new AbortController()]
	void options.left?.then(() => [stop, cut].forEach(each => each.abort()))
	const host: CliHost = {
		// The parts of terminal streams that the command line uses.
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		stderr: stderr as unknown as NodeJS.WriteStream,
		environment: options.environment ?? {},
		platform: process.platform,
		home: '/nonexistent',
		folder: process.cwd(),
		files: localFiles,
		operator: 'tester',
		signal: options.signal ?? stop.signal,
		cut: cut.signal
	}
	return {host, out: collect(stdout, options.onOut), err: collect(stderr)}
}

function typeOn(stdin: PassThrough, lines: string[]) {
	const setRawMode = (on: boolean) => void (on && stdin.write(`${lines.shift() ?? '\u0003'}\r`))
	Object.assign(stdin, {isTTY: true, setRawMode})
}

function collect(stream: PassThrough, told?: (text: string) => void) {
	let text = ''
	stream.on('data', (chunk: Buffer) => {
		text += chunk.toString()
		told?.(text)
	})
	return () => text
}
