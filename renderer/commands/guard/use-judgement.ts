import {useQuery} from '@tanstack/react-query'

import type {RawArgs} from '#shared/commands/arguments.ts'
import type {ChangeAnswer} from '#shared/contract/guards.ts'

import {useActiveConnection} from '../../api/active.tsx'
import {useApi} from '../../api/ApiProvider.tsx'
import {asCordonError} from '../../api/errors.ts'

export interface JudgementView {
	readonly answer: ChangeAnswer | undefined
	/** Why the rules do not let it pass, whatever is confirmed; `null` when they may. */
	readonly refusal: string | null
	/** Why they could not be asked. */
	readonly failed: string | null
}

/** What the guard rules say about one change, while its dialog is open. Each opening asks anew. */
export function useJudgement(name: string, args: RawArgs, isOpen: boolean): JudgementView {
	const {queries} = useApi()
	const {id: connection} = useActiveConnection()
	const {data, error} = useQuery({
		...queries.guards.judge.queryOptions({input: {connection, name, args: copied(args)}}),
		enabled: isOpen,
		gcTime: 0,
		staleTime: 0,
		retry: false,
	})
	return {
		answer: data,
		refusal: data?.judgement.refused?.message ?? null,
		failed: error === null ? null : asCordonError(error).message,
	}
}

/** Why a change cannot be confirmed yet, as far as the guard rules go; `null` when it can. */
export function waitsForRules({answer, refusal, failed}: JudgementView): string | null {
	if (failed !== null) return 'Could not check the guard rules.'
	return refusal ?? (answer === undefined ? 'The guard rules are being asked.' : null)
}

/** As the wire takes them. */
export function copied(args: RawArgs): Record<string, string | string[]> {
	return Object.fromEntries(Object.entries(args).map(([name, given]) => [name, typeof given === 'string' ? given : [...given]]))
}
