import type {RawArgs} from '#shared/commands/arguments.ts'

import {useAskedHere} from '#api/hooks.tsx'

export type JudgementView = ReturnType<typeof useJudgement>

/** The guard rules' answer about one change, while its dialog is open. Each opening asks anew. */
export function useJudgement(name: string, args: RawArgs, isOpen: boolean) {
	const {data, error} = useAskedHere(q => q.guards.judge, {name, args: copied(args)}, {enabled: isOpen, gcTime: 0, staleTime: 0, retry: false})
	return {
		answer: data,
		/** Why the rules refuse the change whatever is confirmed; `null` when they may allow it. */
		refusal: data?.judgement.refused?.message ?? null,
		/** Why the rules could not be asked. */
		failed: error?.message ?? null
	}
}

/** Why the guard rules do not allow confirming yet; `null` when they do. */
export function waitsForRules({answer, refusal, failed}: JudgementView): string | null {
	if (failed !== null) return 'Could not check the guard rules.'
	return refusal ?? (answer === undefined ? 'The guard rules are being asked.' : null)
}

/** A mutable copy, as the wire's type requires. */
export function copied(args: RawArgs): Record<string, string | string[]> {
	return Object.fromEntries(Object.entries(args).map(([name, given]) => [name, typeof given === 'string' ? given : [...given]]))
}
