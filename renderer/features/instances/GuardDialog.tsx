import {Failure} from '#commands/Failure.tsx'
import {Banner} from '#ui/States.tsx'
import type {Act, ButtonTone} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {t} from './text.ts'
import type {Guard} from './use-guard.ts'

interface GuardDialogProps {
	guard: Guard
	/** The button's action, such as `Expose edl`. */
	verb: string
}

/** Asks for a typed confirmation when the host requires one. */
export function GuardDialog({guard, verb}: GuardDialogProps) {
	if (guard.asked === null) return null
	return (
		<Dialog title={verb} size="medium" role="alertdialog" cancel onClose={guard.clear} act={confirmAct(verb, guard)}>
			<ConfirmField guard={guard} />
		</Dialog>
	)
}

/** The effect, and the field for the confirmation text, once the host asked for it. */
export function ConfirmField({guard: {asked, failed, typed, type}}: {guard: Guard}) {
	return (
		asked && (
			<>
				<Banner tone="warning">{asked.message}</Banner>
				<TextField label={t.typeToConfirm(asked.text)} value={typed} onChange={type} mono autoFocus autoComplete="off" />
				<Failure error={failed} />
			</>
		)
	)
}

/** The button that confirms what the host asked about. */
export function confirmAct(verb: string, {asked, typed, isPending, confirm}: Guard, tone: ButtonTone = 'danger'): Act {
	const missing = typed.trim() === asked?.text ? null : `Type ${asked?.text} first.`
	return [verb, confirm, isPending ? 'Saving…' : missing, tone]
}
