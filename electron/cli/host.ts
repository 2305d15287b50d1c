import {addAbortSignal} from 'node:stream'

import {defaultProfileFolder} from '#base/system.ts'
import {CordonError} from '#contract/errors.ts'

import type {CliFiles} from './files.ts'
import type {ConsoleDependencies} from './console-parts.ts'

/** The command line's connection to its process; replaced in tests. */
export interface CliHost {
	stdin: NodeJS.ReadStream
	stdout: NodeJS.WriteStream
	stderr: NodeJS.WriteStream
	files: CliFiles
	environment: Readonly<Record<string, string | undefined>>
	platform: string
	home: string
	/** The folder that relative file names start from. */
	folder: string
	operator: string
	/** Aborted with a `cancelled` error on SIGINT and SIGTERM. */
	signal: AbortSignal
	/** Aborted by the second signal: requests under way are cut off, with unknown outcome. */
	cut: AbortSignal
	/** Aborted with `signal` where nobody asked: the answering console stops, or the command line is gone. */
	left?: AbortSignal | undefined
	/** Set only where a running console answers for a command line; nothing of the profile is opened then. */
	console?: ConsoleDependencies | undefined
	/**
	 * SIGHUP calls `listener` instead of stopping, until the returned function is called. Left out where there are no
	 * signals.
	 */
	onReload?(listener: () => void): () => void
}

export function profileFolder(named: string | undefined, {platform, environment, home}: CliHost) {
	return named ?? defaultProfileFolder(platform, environment, home)
}

/** Standard input to its end; rejects at Ctrl+C. */
export async function* inputOf({stdin, signal}: Pick<CliHost, 'stdin' | 'signal'>): AsyncGenerator<Uint8Array | string> {
	try {
		yield* addAbortSignal(signal, stdin)
	} catch (error) {
		signal.throwIfAborted()
		throw error
	}
}

/** Calls `stop` on request only: what a console that stops was doing goes on at its next start. The second request calls `leave`. */
export async function attended<T>({signal, cut, left}: CliHost, stop: () => void, work: () => Promise<T>, leave = (): void => undefined) {
	const waiting = Promise.withResolvers<never>()
	// What came first decides: who asked and then left wants it stopped all the same.
	const asked = (): void => void (signal.reason !== left?.reason && stop())
	const gone = () => waiting.reject(new CordonError('cancelled', 'The console is stopping. It goes on with this at its next start.'))
	const over = new AbortController()
	const how = {once: true, signal: over.signal}
	signal.addEventListener('abort', asked, how)
	left?.addEventListener('abort', gone, how)
	cut.addEventListener('abort', leave, how)
	if (signal.aborted) asked()
	if (left?.aborted === true) gone()
	try {
		return await Promise.race([work(), waiting.promise])
	} finally {
		over.abort()
	}
}
