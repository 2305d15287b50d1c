import {useCallback, useRef, useState} from 'react'

import type {RawArgs} from '#shared/commands/arguments.ts'
import type {CommandName} from '#shared/commands/catalogue.ts'
import {findCommand} from '#shared/commands/catalogue.ts'
import type {CommandOptions, CommandResult} from '#shared/commands/result.ts'
import type {CordonError} from '#contract/errors.ts'
import type {Agreement} from '#model/guard.ts'
import type {LeaseTerm} from '#model/job.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnection, useApi, useSettings} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {useIsShown} from '#ui/use-is-shown.ts'
import {copied} from './guard/use-judgement.ts'
import {shownLine} from './masked.ts'
import {runFailure} from './stopped.ts'

export interface RunRequest {
	name: CommandName
	args: RawArgs
	options?: CommandOptions
	/** The operator's agreement, as the guard rules require. */
	agreement?: Agreement
	/** For an isolation: who makes its code, and its lease. */
	isolation?: {code: 'generated' | 'service'; lease: LeaseTerm | null}
}

export type RunState =
	| {kind: 'idle'}
	/** `run`: the id for `useProgress`. `since` in milliseconds since 1970. */
	| {kind: 'running'; name: CommandName; run: string; since: number}
	| {kind: 'done'; result: CommandResult}
	| {kind: 'failed'; error: CordonError}

export type Runner = ReturnType<typeof useRun>

/**
 * Runs one command at a time. Callers confirm changes first.
 * Unmounting stops following the run, not the change itself: its dialog ends what was not sent yet.
 */
export function useRun() {
	const {client, live} = useApi()
	const connection = useActiveConnection()
	const {activeIncident} = useSettings()
	const setLastCommand = useUi(ui => ui.setLastCommand)
	const [state, setState] = useState<RunState>({kind: 'idle'})
	const control = useRef<AbortController | null>(null)
	const isShown = useIsShown()

	const run = useCallback(
		async ({name, args, options = {}, agreement, isolation}: RunRequest) => {
			const abort = new AbortController()
			const id = crypto.randomUUID()
			const show = (next: RunState) => {
				if (isShown.current && control.current === abort) setState(next)
			}
			control.current = abort
			show({kind: 'running', name, run: id, since: Date.now()})
			const spec = findCommand(name)
			if (spec !== undefined) setLastCommand(shownLine(spec, args, options))
			try {
				const input = inputOf(
					{name, args, options, ...omitUndefined({agreement, isolation})},
					{connection: connection.id, incident: activeIncident, run: id}
				)
				const result = await client.commands.run(input, {signal: abort.signal})
				show({kind: 'done', result})
				return result
			} catch (error) {
				show({kind: 'failed', error: runFailure(error, findCommand(name))})
				return null
			} finally {
				live.endRun(id)
			}
		},
		[client, live, connection.id, activeIncident, setLastCommand, isShown]
	)
	const stop = useCallback(() => control.current?.abort(), [])
	return {
		state,
		/** Runs a command on the active connection. Resolves with its result, or with `null` on failure: see `state`. */
		run,
		/** Stops sending; what was sent stays sent. */
		stop
	}
}

export function inputOf(
	{name, args, options = {}, agreement = {}, isolation}: RunRequest,
	where: {connection: string; incident: string | null; run: string}
) {
	const more = isolation === undefined ? {} : {isolation}
	return {...where, name, args: copied(args), options, agreement, ...more, surface: 'screen' as const}
}
