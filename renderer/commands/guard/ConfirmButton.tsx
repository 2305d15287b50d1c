import type {GuardJudgement} from '#model/guard.ts'

import {Button} from '#ui/Button.tsx'
import {HoldButton, type HoldButtonProps} from '#ui/HoldButton.tsx'

interface ConfirmButtonProps extends HoldButtonProps {
	judgement: Pick<GuardJudgement, 'confirmation'> | undefined
	lock: string | null
}

/** The button names the effect. In production, isolating needs a one-second hold; releasing never does. */
export function ConfirmButton({judgement, lock, reason, onConfirm, children}: ConfirmButtonProps) {
	const confirmation = judgement?.confirmation
	if (lock === null && confirmation?.kind === 'reason' && confirmation.hold)
		return (
			<HoldButton reason={reason} onConfirm={onConfirm}>
				{children}
			</HoldButton>
		)
	return (
		<Button tone="primary" lock={lock} reason={reason} onPress={onConfirm}>
			{children}
		</Button>
	)
}
