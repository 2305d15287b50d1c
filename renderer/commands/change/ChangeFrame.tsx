import {type ReactNode, useEffect, useEffectEvent} from 'react'

import type {GuardJudgement} from '#model/guard.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {useActiveConnection, useProgress, useWriteRefusal} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {Dialog, type DialogProps} from '#ui/Dialog.tsx'
import {useFromNow} from '#ui/Time.tsx'
import {buttonWords} from '../effect.ts'
import {ConfirmButton} from '../guard/ConfirmButton.tsx'
import {t} from '../text.ts'
import type {Runner} from '../use-run.ts'

interface UnderWay {
	/** For the API limit; `null` when nothing tells. */
	waits: boolean | null
	stop(): void
}

interface ChangeFrameProps extends Pick<DialogProps, 'title' | 'size' | 'role' | 'onClose' | 'children'> {
	/** Ways back and on, before the other buttons. */
	before?: ReactNode
	/** Beside the buttons, until it is sent. */
	price?: ReactNode
	confirm: ReactNode
	underWay?: UnderWay | null
	/** It is sent: the button is gone. */
	isDone?: boolean
	/** *Cancel* has the focus, so that Enter sends nothing. */
	cancelsFirst?: boolean
}

/** The frame of every dialog that changes something in the service: its connection's colour, and one button that sends. */
export function ChangeFrame(props: ChangeFrameProps) {
	const {title, size, role, onClose, before, price, confirm, isDone = false, cancelsFirst = false, underWay = null, children} = props
	const cancel = useLeaving(underWay)
	return (
		<Dialog
			{...{title, onClose}}
			{...omitUndefined({size, role})}
			tone="connection"
			footer={
				<>
					{before}
					{!isDone && price}
					<span className="spring" />
					{/* A new button: the focus was on the one that planned or sent, which is gone. */}
					{isDone ? (
						<Button key="close" tone="primary" autoFocus onPress={onClose}>
							{t.close}
						</Button>
					) : (
						<Button key={`cancel ${cancelsFirst}`} autoFocus={cancelsFirst} onPress={onClose}>
							{cancel}
						</Button>
					)}
					{!isDone && confirm}
				</>
			}
		>
			<div className="stack">{children}</div>
		</Dialog>
	)
}

/** Without its dialog, a change that waits for the API limit would be sent when nobody expects it: it ends. What was sent goes on. */
function useLeaving(underWay: UnderWay | null) {
	const leave = useEffectEvent(() => void (underWay?.waits !== false && underWay?.stop()))
	useEffect(() => () => leave(), [])
	if (underWay === null || underWay.waits === true) return t.cancel
	return underWay.waits === null ? t.stop : t.close
}

/** Of a command that runs. */
export function useUnderWay(runner: Runner | undefined): UnderWay | null {
	const run = runner?.state.kind === 'running' ? runner.state.run : null
	const progress = useProgress(run)
	// Nothing tells that the wait is over and the change is on its way; nor does another clock than the host's.
	const waits = useFromNow(now => (progress?.kind === 'waiting_for_quota' ? Date.parse(progress.until) > now || null : false))
	return run === null || runner === undefined ? null : {waits, stop: runner.stop}
}

interface SendButtonProps {
	/** What it does, without the connection. */
	act: string
	judgement?: Pick<GuardJudgement, 'confirmation'> | undefined
	/** Why it cannot be sent now; `null` when it can. */
	reason: string | null
	onSend: () => void
}

/** Names the effect and the connection, and obeys the lock. */
export function SendButton({act, judgement, reason, onSend}: SendButtonProps) {
	const connection = useActiveConnection()
	const lock = useWriteRefusal()
	return (
		<ConfirmButton {...{judgement, lock, reason}} onConfirm={onSend}>
			{buttonWords(act, connection)}
		</ConfirmButton>
	)
}
