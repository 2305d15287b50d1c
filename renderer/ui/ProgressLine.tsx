import type {ReactNode} from 'react'

import {formatAge} from '#text/durations.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'

import {Button} from './Button.tsx'
import {useFromNow} from './Time.tsx'
import {cx} from './cx.ts'
import styles from './ProgressLine.module.css'
import {t} from './text.ts'

interface ProgressLineProps {
	/** Unix milliseconds. */
	since: number
	onStop: () => void
	/** The target of *Stop*, when a screen has several lines. */
	stopLabel?: string
	/** Within a line instead of its own. */
	inline?: boolean
	children: ReactNode
}

/** A running action: description, elapsed time, and cancelling. */
export function ProgressLine({since, onStop, stopLabel, inline = false, children}: ProgressLineProps) {
	const age = useFromNow(now => formatAge(now - since))
	return (
		<div className={cx(styles.line, inline && styles.inline)} role="status">
			<span className={styles.pulse} aria-hidden />
			<span className={styles.text}>{children}</span>
			<span className={styles.age} aria-hidden>
				{age}
			</span>
			<Button small onPress={onStop} {...omitUndefined({'aria-label': stopLabel})}>
				{t.stop}
			</Button>
		</div>
	)
}
