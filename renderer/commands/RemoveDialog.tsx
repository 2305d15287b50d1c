import {useMutation} from '@tanstack/react-query'
import type {ReactNode} from 'react'

import {Dialog} from '#ui/Dialog.tsx'
import {Failure} from './Failure.tsx'
import {t} from './text.ts'

interface RemoveDialogProps {
	title: string
	/** The button's action. */
	act: string
	/** What is lost, and what stays. */
	means: string
	call: () => Promise<unknown>
	onDone?: () => void
	onClose: () => void
	/** What still depends on it. */
	children?: ReactNode
}

/** Names what will be gone before it is. */
export function RemoveDialog({title, act, means, call, onDone, onClose, children}: RemoveDialogProps) {
	const remove = useMutation({
		mutationFn: call,
		onSuccess: () => {
			onDone?.()
			onClose()
		},
	})
	return (
		<Dialog
			title={title}
			size="small"
			role="alertdialog"
			cancel="first"
			onClose={onClose}
			act={[act, () => remove.mutate(), remove.isPending ? t.inProgress : null, 'danger']}
		>
			{children}
			<p>{means}</p>
			<Failure error={remove.error} />
		</Dialog>
	)
}
