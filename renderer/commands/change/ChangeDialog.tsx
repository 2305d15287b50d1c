import type {ReactNode} from 'react'

import {omitUndefined} from '#shared/omit-undefined.ts'

import {Banner} from '#ui/States.tsx'
import {InView} from '#ui/InView.tsx'
import type {DialogProps} from '#ui/Dialog.tsx'
import {GuardNotes} from '../guard/GuardNotes.tsx'
import {ReasonField, ReasonFields} from '../guard/ReasonFields.tsx'
import {TypedConfirmation} from '../guard/TypedConfirmation.tsx'
import {isRequested, RunNote} from '../RunNote.tsx'
import {t} from '../text.ts'
import {ChangeFrame, SendButton, useUnderWay} from './ChangeFrame.tsx'
import type {Change} from './use-change.ts'
import type {Consent} from './use-consent.ts'

interface ChangeDialogProps extends Pick<DialogProps, 'title' | 'size' | 'role' | 'onClose'> {
	/** What the button does; default: the title. */
	act?: string
	/** Without progress, another view runs the command. */
	change: Consent & Partial<Pick<Change<never>, 'runner' | 'accepted' | 'refused' | 'isReading'>>
	/** Why it cannot be sent, apart from the rules; `null` when it can. */
	waits: string | null
	/** These have a ticket, and templates of reasons. */
	kind?: 'isolate' | 'release'
	/** What stands under the reason of other changes. */
	reasonNote?: string
	/** Nothing else is chosen: the focus starts on the reason. */
	reasonFirst?: boolean
	/** *Cancel* has the focus, so that Enter sends nothing. */
	cancelsFirst?: boolean
	onConfirm: () => void
	/** The target, and what will happen. */
	children: ReactNode
	/** Choices with usual values, below the reason. */
	options?: ReactNode
	/** Beside the buttons: calls that the change costs beyond its own. */
	price?: ReactNode
	/** Shown once the service has accepted the change. */
	receipt?: ReactNode
	/** Buttons then, before *Close*. */
	after?: ReactNode
}

/** The dialog of a change: target, effect, guard rules, reason, confirmation and receipt. Only its named button sends. */
export function ChangeDialog(props: ChangeDialogProps) {
	const {title, size, role, onClose, change, children, options, receipt, after} = props
	const {runner, accepted = null, refused = null} = change
	const isDone = accepted !== null || isRequested(runner)
	return (
		<ChangeFrame
			{...{title, onClose, isDone}}
			underWay={useUnderWay(runner)}
			{...omitUndefined({size, role, cancelsFirst: props.cancelsFirst})}
			before={accepted === null ? null : after}
			price={props.price}
			confirm={<Confirm {...props} />}
		>
			{children}
			{!isDone && (
				<>
					<Asked {...props} />
					{options}
					<Typed {...change} />
				</>
			)}
			{refused !== null && <Banner tone="bad">{refused}</Banner>}
			{accepted !== null ? <InView>{receipt}</InView> : runner === undefined ? null : <RunNote runner={runner} />}
		</ChangeFrame>
	)
}

function Asked({change: {isChosen, judgement, needsReason, fields}, kind, reasonNote = t.keptInLog, reasonFirst}: ChangeDialogProps) {
	return (
		<>
			{isChosen && <GuardNotes view={judgement} />}
			{kind !== undefined ? (
				<ReasonFields fields={fields} kind={kind} />
			) : needsReason ? (
				<ReasonField {...{fields, ...omitUndefined({isFirst: reasonFirst})}} description={reasonNote} />
			) : null}
		</>
	)
}

function Typed({judgement: {answer, refusal}, fields, ofHash}: Consent) {
	if (refusal !== null) return null
	const {confirm, setConfirm, problems} = fields
	return (
		<TypedConfirmation
			confirmation={answer?.judgement.confirmation}
			{...{ofHash}}
			typed={confirm}
			onType={setConfirm}
			problem={problems.confirm}
		/>
	)
}

function Confirm({title, act = title, change, waits, onConfirm}: ChangeDialogProps) {
	const isUnderWay = change.runner?.state.kind === 'running' || change.isReading === true
	return <SendButton act={act} judgement={change.judged} reason={isUnderWay ? t.requestInProgress : (waits ?? change.waits)} onSend={onConfirm} />
}
