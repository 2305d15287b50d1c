import {useState, type ReactNode} from 'react'

import type {CordonError} from '#contract/errors.ts'
import {useCall} from '#api/hooks.tsx'
import type {Client} from '#api/wire.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import type {ButtonTone} from '#ui/Button.tsx'
import {Dialog, type DialogProps} from '#ui/Dialog.tsx'
import {Failure} from './Failure.tsx'
import {t} from './text.ts'

interface ActDialogProps<Done> extends Omit<DialogProps, 'act' | 'tone' | 'footer' | 'children'> {
	act: string
	tone?: ButtonTone
	work: (client: Client) => Promise<Done>
	/** Why it cannot be pressed yet. */
	missing?: string | null | undefined
	/** False: pressing shows what is wrong with the fields, and does no more. */
	isReady?: boolean
	/** Why it cannot be pressed while it works. */
	busy?: string
	/** Announced at the end. */
	done?: string
	/** Default: closes. */
	onDone?: (done: Done) => void
	/** Whether a field tells of a failure by itself. */
	tells?: (field: string | undefined) => boolean
	children: ReactNode | ((seen: {error: CordonError | null; wasPressed: boolean}) => ReactNode)
}

/** Fields, and one button whose work the host does: the dialog stays open with the reason when that fails. */
export function ActDialog<Done>(props: ActDialogProps<Done>) {
	const {act, tone = 'primary', work, missing, isReady = true, busy = t.saving, done, tells, children, ...dialog} = props
	const {onClose, onDone = () => onClose(), ...rest} = dialog
	const announce = useAnnounce()
	const [wasPressed, setPressed] = useState(false)
	const {mutate, isPending, error} = useCall(work, {
		// What was typed may be a secret.
		gcTime: 0,
		onSuccess: result => {
			if (done !== undefined) announce(done)
			onDone(result)
		}
	})
	const press = () => {
		setPressed(true)
		if (isReady) mutate()
	}
	return (
		<Dialog cancel {...rest} onClose={onClose} act={[act, press, isPending ? busy : (missing ?? null), tone]}>
			<div className="stack">
				{typeof children === 'function' ? children({error, wasPressed}) : children}
				<Failure error={tells?.(error?.details.field) === true ? null : error} />
			</div>
		</Dialog>
	)
}
