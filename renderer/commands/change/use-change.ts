import {useState} from 'react'

import type {CommandResult} from '#shared/commands/result.ts'

import {asCordonError} from '#api/errors.ts'
import {useIsShown} from '#ui/use-is-shown.ts'
import {type Runner, type RunRequest, useRun} from '../use-run.ts'
import {type ChangeOf, type Consent, useConsent} from './use-consent.ts'

/** The changed object as the service has it now; `null` when it has none, or could not be asked. */
interface Reading<Seen> {
	seen: Seen | null
	/** Why it could not be asked, in a sentence. */
	problem: string | null
}

interface Request<Seen> extends ChangeOf {
	/** One call that reads the changed object. */
	read?: () => Promise<Seen | null>
	/** From a reading before the request: why it is not sent, in a sentence. */
	check?: ((now: Reading<Seen>) => string | null) | undefined
}

export interface Change<Seen> extends Consent {
	runner: Runner
	requestedAt: string | null
	accepted: {at: string; result: CommandResult} | null
	/** The reading after the service accepted the change. */
	observed: (Reading<Seen> & {at: string}) | null
	/** Why nothing was sent, in a sentence. */
	refused: string | null
	isReading: boolean
	/** Sends the change once the operator agrees and the check passes; `null` without an answer. */
	send(more?: Pick<RunRequest, 'isolation'> & Partial<Pick<RunRequest, 'args'>>): Promise<CommandResult | null>
	look(): void
}

/** One change of one object: consent, check, one request, and what the object is afterwards. */
export function useChange<Seen = never>(request: Request<Seen>): Change<Seen> {
	const {name, args, isChosen = true, read: readOne, check} = request
	const runner = useRun()
	const [requestedAt, setRequestedAt] = useState<string | null>(null)
	const [accepted, setAccepted] = useState<Change<Seen>['accepted']>(null)
	const consent = useConsent({...request, isChosen: isChosen && accepted === null})
	const [observed, setObserved] = useState<Change<Seen>['observed']>(null)
	const [refused, setRefused] = useState<string | null>(null)
	const [isReading, setReading] = useState(false)
	const isShown = useIsShown()

	const read = async (): Promise<Reading<Seen>> => {
		setReading(true)
		try {
			return {seen: (await readOne?.()) ?? null, problem: null}
		} catch (error) {
			return {seen: null, problem: asCordonError(error).message}
		} finally {
			setReading(false)
		}
	}
	const look = async () => {
		const seen = await read()
		setObserved({at: now(), ...seen})
	}
	const send: Change<Seen>['send'] = async more => {
		const agreement = consent.give()
		if (agreement === null) return null
		const refusal = check === undefined ? null : check(await read())
		setRefused(refusal)
		// *Cancel* during the check.
		if (refusal !== null || !isShown.current) return null
		setRequestedAt(now())
		const result = await runner.run({name, args, agreement, ...more})
		if (result === null) return null
		setAccepted({at: now(), result})
		if (readOne !== undefined) void look()
		return result
	}
	return {...consent, runner, requestedAt, accepted, observed, refused, isReading, send, look: () => void look()}
}

function now() {
	return new Date().toISOString()
}
