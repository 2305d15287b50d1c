import type {ReactNode} from 'react'

import {Dialog} from '#ui/Dialog.tsx'
import {confirmAct, ConfirmField} from './GuardDialog.tsx'
import {t} from './text.ts'
import {type GuardedCall, useGuard} from './use-guard.ts'
import {Failure} from '#commands/Failure.tsx'

interface SureDialogProps {
	verb: string
	/** Default: the action. */
	title?: string
	tone: 'primary' | 'danger'
	cancel?: string
	onClose: () => void
	onDone?: () => void
	call: GuardedCall<unknown>
	/** The effect. */
	children: ReactNode
}

/** Shows the effect of a change first; asks for a typed confirmation when the host requires one. */
export function SureDialog({verb, title = verb, tone, cancel, onClose, onDone, call, children}: SureDialogProps) {
	const guard = useGuard()
	const run = () => guard.run(call, onDone ?? onClose)
	return (
		<Dialog
			title={title}
			size="small"
			role="alertdialog"
			cancel={cancel ?? true}
			cancelsFirst
			onClose={onClose}
			act={guard.asked === null ? [verb, run, guard.isPending ? t.inProgress : null, tone] : confirmAct(verb, guard, tone)}
		>
			{children}
			<ConfirmField guard={guard} />
			<Failure error={guard.error} />
		</Dialog>
	)
}
