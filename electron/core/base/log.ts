/** The program's own log: one JSON line each on stderr. It is not the incident log and may be thrown away. */
import {pino, type DestinationStream, type Logger} from 'pino'

import {showUnseenInJson} from '#text/foreign.ts'

import {redact} from './redact.ts'

export type ProgramLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

interface ProgramLogOptions {
	level?: 'debug' | 'info' | 'warn' | 'error' | 'silent' | undefined
	/** Where lines go instead of stderr. */
	destination?: DestinationStream | undefined
}

export type LogTail = ReturnType<typeof keepLogTail>

/** Names that others gave are part of a line: no control character among them reaches the terminal. */
function terminalSafe(next: DestinationStream): DestinationStream {
	return {write: line => next.write(showUnseenInJson(line))}
}

const stderr = (): DestinationStream => terminalSafe(pino.destination({fd: 2, sync: true}))

/** Keeps the newest 200 lines for the diagnostics, and hands each on. */
export function keepLogTail(next: DestinationStream = stderr()) {
	const kept: string[] = []
	return {
		destination: {
			write(line: string) {
				kept.push(line)
				if (kept.length > 200) kept.shift()
				next.write(line)
			}
		},
		/** Newest last. */
		lines: () => [...kept]
	}
}

/** Every value passes the one redaction table on its way out. */
export function createProgramLog(options: ProgramLogOptions): ProgramLog {
	const destination = options.destination ?? stderr()
	return pino(
		{
			level: options.level ?? 'info',
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: {level: label => ({level: label}), log: object => redact(object)},
			serializers: {err: (error: unknown) => redact(error)}
		},
		destination
	)
}
