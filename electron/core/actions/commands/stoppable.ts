/** A runner whose commands end when the application stops, so that their outcomes are logged before the log closes. */
import {computerOf} from '#shared/commands/arguments.ts'

import type {CommandRequest, Runner} from './types.ts'

export interface StoppableRunner extends Runner {
	/** Resolves when no command runs any more. */
	settled(): Promise<void>
}

/** `onSent` is called after every command about one computer, however it ended. */
export function stoppable(
	runner: Runner,
	stopping: AbortSignal,
	onEnded: (connection: string, name: string, guid: string) => void
): StoppableRunner {
	const running = new Set<Promise<unknown>>()
	const track = async <T>(work: Promise<T>) => {
		running.add(work)
		try {
			return await work
		} finally {
			running.delete(work)
		}
	}
	const run = async (request: CommandRequest) => {
		const signal = AbortSignal.any([request.signal ?? stopping, stopping])
		try {
			return await track(runner.run({...request, signal}))
		} finally {
			const guid = computerOf(request.args)
			if (guid !== undefined && request.connection !== undefined) onEnded(request.connection, request.name, guid)
		}
	}
	return {...runner, run, settled: async () => void (await Promise.allSettled(running))}
}
