import type {RawArgs} from '#shared/commands/arguments.ts'
import type {CommandName} from '#shared/commands/catalogue.ts'

import {useAgreement} from '../guard/use-agreement.ts'
import {useJudgement, waitsForRules} from '../guard/use-judgement.ts'

export interface ChangeOf {
	name: CommandName
	args: RawArgs
	/** The target and the effect are chosen: the guard rules are asked. */
	isChosen?: boolean
	/** `guarded`: only where the rules want more than a click. */
	reason?: 'always' | 'guarded' | 'given'
	/** The typed confirmation, as given already. */
	confirm?: string | undefined
	/** The rules are told, and do not hold the change back. */
	isFree?: boolean
}

export type Consent = ReturnType<typeof useConsent>

/** What the guard rules want before a change, and what the operator gives. */
export function useConsent({name, args, isChosen = true, reason = 'always', confirm, isFree = false}: ChangeOf) {
	const judgement = useJudgement(name, args, isChosen)
	const asked = judgement.answer?.judgement
	const needsReason = reason === 'always' || (reason === 'guarded' && (asked?.tier ?? 0) >= 2)
	const fields = useAgreement({needsReason, confirm})
	/** Why the rules do not allow the change yet; `null` when they do. */
	const waits = isFree ? null : waitsForRules(judgement)
	return {
		...{isChosen, judgement, fields, needsReason, waits},
		ofHash: args['sha256'] !== undefined,
		/** What the confirming button obeys. */
		judged: isFree ? undefined : asked,
		/** Shows what is missing and returns `null`, or returns what goes with the change. */
		give: () => {
			const agreement = fields.submit(asked)
			return waits === null ? agreement : null
		}
	}
}
