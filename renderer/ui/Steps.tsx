import type {ReactNode} from 'react'

import {receiptLabel, type StepTitle} from '#text/changes.ts'

import {cx} from './cx.ts'
import styles from './isolation/Receipt.module.css'
import {Time} from './Time.tsx'

export type StepState = keyof typeof marks

export interface StepLine {
	title: StepTitle
	state: StepState
	at: string | null
	text: ReactNode
}

const marks = {
	done: {shape: '✓', word: 'done'},
	waiting: {shape: '◔', word: 'waiting'},
	failed: {shape: '✕', word: 'failed'},
	none: {shape: '–', word: 'nothing to do'}
} as const

/** The receipt of a change: requested, accepted and confirmed are three separate facts, none guessed. */
export function Steps({lines}: {lines: readonly StepLine[]}) {
	return (
		<ol className={styles.receipt} aria-label={receiptLabel} aria-live="polite">
			{lines.map(({title, state, at, text}) => (
				<Step key={title} step={state} title={title} at={at}>
					{text}
				</Step>
			))}
		</ol>
	)
}

interface StepProps extends Pick<StepLine, 'at'> {
	step: StepState
	title: string
	children: ReactNode
}

export function Step({step, title, at, children}: StepProps) {
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
