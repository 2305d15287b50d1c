import type {ReactNode, Ref} from 'react'

import {omitUndefined} from '#shared/omit-undefined.ts'
import {cx} from './cx.ts'
import styles from './Stages.module.css'

const marks = {
	ok: {shape: '✓', word: 'good', look: 'ok'},
	warning: {shape: '!', word: 'warning', look: 'warn'},
	failed: {shape: '✕', word: 'failed', look: 'bad'},
	skipped: {shape: '–', word: 'skipped', look: 'dim'}
} as const

interface Stage {
	title: string
	/** Left out before its turn. */
	verdict: keyof typeof marks | undefined
	said: ReactNode
	/** How long it took. */
	time?: string
}

interface StagesProps {
	label: string
	isBusy: boolean
	stages: readonly Stage[]
	ref?: Ref<HTMLOListElement>
}

/** The stages of a test, each with its result, from the first to the last. */
export function Stages({label, isBusy, stages, ref}: StagesProps) {
	return (
		<ol {...omitUndefined({ref})} className={styles.stages} aria-label={label} aria-live="polite" aria-busy={isBusy}>
			{stages.map(({title, verdict, said, time}) => (
				<li key={title} className={styles.stage}>
					<span
						className={cx(styles.mark, marks[verdict ?? 'skipped'].look)}
						{...(verdict === undefined ? {'aria-hidden': true} : {role: 'img', 'aria-label': marks[verdict].word})}
					>
						{verdict === undefined ? '·' : marks[verdict].shape}
					</span>
					<b>{title}</b>
					<span className="soft wraps">{said}</span>
					{time !== undefined && <span className={styles.time}>{time}</span>}
				</li>
			))}
		</ol>
	)
}
