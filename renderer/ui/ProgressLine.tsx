import type {ReactNode} from 'react'

import {formatAge} from '#shared/text/durations.ts'

import {Button} from './Button.tsx'
import {useFromNow} from './Clock.tsx'
import {cx} from './cx.ts'
import styles from './ProgressLine.module.css'
import {t} from './text.ts'

interface ProgressLineProps {
	/** Unix milliseconds. */
	readonly since: number
	readonly onStop: () => void
	/** What *Stop* ends, where several lines stand on one screen. */
	readonly stopLabel?: string
	/** Among other things of a line, not a line of its own. */
	readonly inline?: boolean
	/** What is being done. */
	readonly children: ReactNode
}

/** Something that takes its time: what it is doing, for how long, and the way out. */
export function ProgressLine({since, onStop, stopLabel, inline = false, children}: ProgressLineProps) {
	const age = useFromNow(now => formatAge(now - since))
	return (
		<div className={cx(styles['line'], inline && styles['inline'])} role="status">
			<span className={styles['pulse']} aria-hidden="true" />
			<span className={styles['text']}>{children}</span>
			<span className={styles['age']} aria-hidden="true">
				{age}
			</span>
			<Button size="small" onPress={onStop} {...(stopLabel === undefined ? {} : {'aria-label': stopLabel})}>
				{t.stop}
			</Button>
		</div>
	)
}
