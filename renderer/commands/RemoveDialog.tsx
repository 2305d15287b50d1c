import type {ReactNode} from 'react'

import type {Client} from '#api/wire.ts'
import {ActDialog} from './ActDialog.tsx'
import {t} from './text.ts'

interface RemoveDialogProps {
	title: string
	act: string
	/** What is lost, and what stays. */
	means: string
	call: (client: Client) => Promise<unknown>
	onDone?: () => void
	onClose: () => void
	/** What still depends on it. */
	children?: ReactNode
}

/** Names what will be gone before it is. */
export function RemoveDialog({means, call, onDone, onClose, children, ...words}: RemoveDialogProps) {
	return (
		<ActDialog
			{...words}
			size="small"
			role="alertdialog"
			tone="danger"
			cancelsFirst
			work={call}
			busy={t.inProgress}
			onDone={() => {
				onDone?.()
				onClose()
			}}
			onClose={onClose}
		>
			{children}
			<p>{means}</p>
		</ActDialog>
	)
}
