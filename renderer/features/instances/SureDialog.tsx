import {useState, type ReactNode} from 'react'

import {Dialog} from '#ui/Dialog.tsx'
import {ConfirmField, confirmReason} from './GuardDialog.tsx'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'
import {Failure} from '#commands/Failure.tsx'

interface SureDialogProps {
	title: string
	/** The button's action. */
	verb: string
	tone: 'primary' | 'danger'
	onClose: () => void
	onDone?: () => void
	call: (confirmation: {readonly confirm?: string}) => Promise<unknown>
	/** The effect. */
	children: ReactNode
}

/** Shows the effect of a change first; asks for a typed confirmation when the host requires one. */
export function SureDialog({title, verb, tone, onClose, onDone, call, children}: SureDialogProps) {
	const guard = useGuard()
	const [typed, setTyped] = useState('')
	const {asked} = guard
	const act = () => (asked === null ? guard.run(call, onDone ?? onClose) : guard.confirm(typed))
	return (
		<Dialog
			title={title}
			size="small"
			role="alertdialog"
			cancel
			cancelsFirst
			onClose={onClose}
			act={[verb, act, asked === null ? (guard.isPending ? t.inProgress : null) : confirmReason(asked, typed, guard), tone]}
		>
			{children}
			{asked !== null && <ConfirmField asked={asked} typed={typed} onType={setTyped} autoFocus />}
			<Failure error={guard.error} />
		</Dialog>
	)
}
