import {hasCode} from '#contract/errors.ts'
import {asSentence} from '#shared/sentence.ts'

import {type Act, Link} from '#ui/Button.tsx'
import {Banner} from '#ui/States.tsx'
import {t} from './text.ts'

/** Says beside what a change is asked with why it failed. What waits for a second person did not. */
export function Failure({error, act, children}: {error: Error | null; act?: Act; children?: string}) {
	if (error === null) return null
	const waits = hasCode(error, 'approval_needed')
	return (
		<Banner tone={waits ? 'info' : 'bad'} {...(waits ? {action: <Link href="/approvals">{t.approvals}</Link>} : act && {act})}>
			{asSentence(error.message)}
			{children}
		</Banner>
	)
}
