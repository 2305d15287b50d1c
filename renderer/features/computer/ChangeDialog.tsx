import type {ReactNode} from 'react'

import type {ComputerDetail} from '#shared/contract/contract.ts'

import {useActiveConnection, useWriteRefusal} from '../../api/active.tsx'
import {buttonWords} from '../../commands/effect.ts'
import {ConfirmButton} from '../../commands/guard/ConfirmButton.tsx'
import type {JudgementView} from '../../commands/guard/use-judgement.ts'
import {RunNote} from '../../commands/RunNote.tsx'
import {TargetComputer} from '../../commands/TargetComputer.tsx'
import type {Runner} from '../../commands/use-run.ts'
import {Dialog} from '../../ui/Dialog.tsx'

interface ChangeDialogProps {
	readonly detail: ComputerDetail
	/** First word of title and button, such as `Isolate`. */
	readonly verb: string
	readonly isOpen: boolean
	readonly runner: Runner
	/** Why it cannot be sent now; `null` when it can. */
	readonly waits: string | null
	/** The judgement of the guard rules; omitted for changes that need only a click. */
	readonly judgement?: JudgementView | undefined
	readonly onClose: () => void
	readonly onSend: () => void
	readonly children: ReactNode
}

/** Common parts of changing one computer: the target, a button with its name and tenant, and the outcome. */
export function ChangeDialog(props: ChangeDialogProps) {
	const {detail, verb, isOpen, runner, waits, judgement, onClose, onSend, children} = props
	const connection = useActiveConnection()
	const writeRefusal = useWriteRefusal()
	const title = `${verb} ${detail.row.hostname}`
	const reason = waits ?? judged(judgement) ?? (runner.state.kind === 'running' ? 'The request is under way.' : null)
	return (
		<Dialog
			title={title}
			isOpen={isOpen}
			onClose={onClose}
			cancel
			tone="connection"
			footer={
				<ConfirmButton judgement={judgement?.answer?.judgement} lock={writeRefusal} reason={reason} onConfirm={onSend}>
					{buttonWords(title, connection)}
				</ConfirmButton>
			}
		>
			<div className="stack">
				<TargetComputer detail={detail} />
				{children}
				<RunNote runner={runner} />
			</div>
		</Dialog>
	)
}

function judged(view: JudgementView | undefined): string | null {
	if (view === undefined) return null
	if (view.failed !== null) return 'Could not check the guard rules.'
	return view.refusal ?? (view.answer === undefined ? 'The guard rules are being asked.' : null)
}
