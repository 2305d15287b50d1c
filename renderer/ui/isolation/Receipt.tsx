import type {ReactNode} from 'react'

import {glanceOf, type IsolationReceipt} from '#model/isolation.ts'
import {isolationStates} from '#text/states.ts'
import {alreadyText, answerText, isNoChange, requestedText, stepText, stepTitles} from '#text/changes.ts'

import {Time} from '../Time.tsx'
import {cx} from '../cx.ts'
import {t} from '../text.ts'
import styles from './Receipt.module.css'

type Step = 'done' | 'waiting' | 'failed' | 'none'

const marks: Readonly<Record<Step, {readonly shape: string; readonly word: string}>> = {
	done: {shape: '✓', word: 'done'},
	waiting: {shape: '◔', word: 'waiting'},
	failed: {shape: '✕', word: 'failed'},
	none: {shape: '–', word: 'nothing to do'},
}

/** Requested, accepted and confirmed: three separate facts with their times, none guessed. */
export function Receipt({receipt}: {receipt: IsolationReceipt}) {
	const {requested, refused, observed, checked} = receipt
	return (
		<ol className={styles.receipt}>
			<Line step="done" title={stepTitles.requested} at={requested.at}>
				{requestedText(requested.by, requested.reason)}
			</Line>
			<Answer receipt={receipt} />
			<Line step={observedStep(receipt)} title={stepTitles.confirmed} at={observed?.at ?? null}>
				{observed !== undefined
					? observedText(receipt.action, observed.state)
					: refused !== undefined && !refused.unknown
						? stepText.nothingChanged
						: stepText.waitingForAgent}
				{checked !== undefined && (
					<span className="dim">
						{' '}
						{t.lastLoaded(wordOf(checked.state))} <Time at={checked.at} />
					</span>
				)}
			</Line>
		</ol>
	)
}

/** The service's answer; pending without one. */
function Answer({receipt: {accepted, refused}}: {receipt: IsolationReceipt}) {
	if (refused !== undefined)
		return (
			<Line step="failed" title={refused.unknown ? stepTitles.unknown : stepTitles.refused} at={refused.at}>
				{refused.message}
			</Line>
		)
	if (accepted === undefined)
		return (
			<Line step="waiting" title={stepTitles.accepted} at={null}>
				{stepText.waitingForService}
			</Line>
		)
	const {status, requestId, state, at} = accepted
	const noChange = isNoChange(accepted)
	const message = noChange ? alreadyText(state) : undefined
	const id = requestId === undefined ? undefined : `${requestId.slice(0, 8)}…`
	return (
		<Line step={noChange ? 'none' : 'done'} title={noChange ? stepTitles.noChange : stepTitles.accepted} at={at}>
			{answerText({message, status, requestId: id}) || t.byTheService}
		</Line>
	)
}

function observedStep({action, observed, refused}: IsolationReceipt): Step {
	const wanted = action === 'isolate' ? 'isolated' : 'not_isolated'
	if (observed !== undefined) return observed.state === wanted ? 'done' : 'failed'
	return refused !== undefined && !refused.unknown ? 'none' : 'waiting'
}

function observedText(action: IsolationReceipt['action'], state: string) {
	if (action === 'isolate' && state === 'not_isolated') return 'not isolated: the agent did not start the isolation'
	if (action === 'release' && state === 'isolated') return 'still isolated: the agent did not release the computer'
	return wordOf(state)
}

/** A state in words; unknown states are shown as received. */
function wordOf(status: string) {
	const glance = glanceOf({available: true, status})
	return glance === 'unknown' ? status : isolationStates[glance].word
}

function Line({step, title, at, children}: {step: Step; title: string; at: string | null; children: ReactNode}) {
	return (
		<li className={styles.line}>
			<span className={cx(styles.mark, styles[step])} role="img" aria-label={marks[step].word}>
				{marks[step].shape}
			</span>
			<b className={styles.title}>{title}</b>
			<span className="soft wraps">{children}</span>
			<span className={styles.at}>{at === null ? '—' : <Time at={at} form="clock" />}</span>
		</li>
	)
}
