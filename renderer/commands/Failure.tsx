import {hasCode, knownError} from '#contract/errors.ts'

import type {Act} from '#ui/Button.tsx'
import {InView} from '#ui/InView.tsx'
import {Banner, Reason} from '#ui/States.tsx'
import {t} from './text.ts'
import {WayOut} from './WayOut.tsx'

/** Says beside what a change is asked with why it failed. What waits for a second person did not. */
export function Failure({error, act, children}: {error: Error | null; act?: Act; children?: string}) {
	if (error === null) return null
	const waits = hasCode(error, 'approval_needed')
	return (
		<InView>
			<Banner tone={waits ? 'info' : 'bad'} {...(waits ? {action: <WayOut href="/approvals">{t.approvals}</WayOut>} : act && {act})}>
				<Reason error={knownError(error)} otherwise={error.message} />
				{children}
			</Banner>
		</InView>
	)
}
