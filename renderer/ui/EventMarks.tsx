import type {EventRow} from '#contract/events.ts'

import styles from './EventMarks.module.css'
import {outcomeWords, severityWords} from './event-words.ts'
import {LookTag} from './Tag.tsx'

export function Severity({row}: {row: Pick<EventRow, 'severity'>}) {
	const {shape, word, tone} = severityWords[row.severity]
	return (
		<span className={styles.severity} data-tone={tone}>
			<span aria-hidden>{shape}</span> {word}
		</span>
	)
}

export function Outcome({row}: {row: Pick<EventRow, 'outcome'>}) {
	if (row.outcome === null) return null
	return <LookTag {...outcomeWords[row.outcome]} />
}
