import {useState} from 'react'

import {Banner} from '#ui/States.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {t} from './text.ts'
import type {Asked, Guard} from './use-guard.ts'

interface GuardDialogProps {
	guard: Guard
	/** The button's action, such as `Expose edl`. */
	verb: string
}

/** Asks for a typed confirmation when the host requires one. */
export function GuardDialog({guard, verb}: GuardDialogProps) {
	if (guard.asked === null) return null
	return <Confirm key={guard.asked.text} asked={guard.asked} guard={guard} verb={verb} />
}

function Confirm({asked, guard, verb}: GuardDialogProps & {readonly asked: Asked}) {
	const [typed, setTyped] = useState('')
	return (
		<Dialog
			title={verb}
			size="medium"
			role="alertdialog"
			cancel
			onClose={guard.clear}
			act={[verb, () => guard.confirm(typed), confirmReason(asked, typed, guard), 'danger']}
		>
			<ConfirmField asked={asked} typed={typed} onType={setTyped} autoFocus />
		</Dialog>
	)
}

interface ConfirmFieldProps {
	asked: Asked
	typed: string
	onType: (typed: string) => void
	autoFocus?: boolean
}

/** The effect, and the field for the confirmation text. */
export function ConfirmField({asked, typed, onType, autoFocus = false}: ConfirmFieldProps) {
	return (
		<>
			<Banner tone="warning">{asked.message}</Banner>
			<TextField label={t.typeToConfirm(asked.text)} value={typed} onChange={onType} mono autoFocus={autoFocus} autoComplete="off" />
		</>
	)
}

/** Why the change cannot be confirmed yet; `null` when it can. */
export function confirmReason(asked: Asked, typed: string, guard: Guard): string | null {
	if (guard.isPending) return 'Saving…'
	return typed.trim() === asked.text ? null : `Type ${asked.text} first.`
}
