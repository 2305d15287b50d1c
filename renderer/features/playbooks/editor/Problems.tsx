import {useState} from 'react'

import type {PlaybookIssue, PlaybookVerdict} from '#model/playbook.ts'

import {Button} from '#ui/Button.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {t} from '../text.ts'
import styles from './Editor.module.css'

const tones: Readonly<Record<PlaybookIssue['level'], Tone>> = {error: 'bad', refused: 'bad', warning: 'warn', portability: 'plain'}
const shown = 100

/** Each with its step, field and fix. */
export function Problems({verdict, onChoose}: {verdict: PlaybookVerdict | null; onChoose: (step: string) => void}) {
	const [isAll, setAll] = useState(false)
	if (verdict === null || verdict.issues.length === 0) return null
	const own = verdict.issues.filter(({level}) => level !== 'portability')
	const hidden = verdict.issues.length - own.length
	return (
		<ul className={styles.problems} aria-label={t.problems}>
			{hidden !== 0 && (
				<li>
					<Button small tone="quiet" onPress={() => setAll(!isAll)} aria-expanded={isAll}>
						{t.notesForSoarca(hidden)}
					</Button>
				</li>
			)}
			{(isAll ? verdict.issues : own).slice(0, shown).map(({level, step, name, field, message, fix}) => (
				<li key={`${level} ${step} ${field} ${message}`}>
					<Tag tone={tones[level]}>{level}</Tag>
					<span>
						{step !== null && (
							<Button small tone="quiet" onPress={() => onChoose(step)}>
								{name}
							</Button>
						)}
						{field !== '' && <code>{field}</code>} {message} {fix}
					</span>
				</li>
			))}
		</ul>
	)
}

/** The field's problem, for the line below it. */
export function faultIn(issues: readonly PlaybookIssue[], step: string | null, field: string) {
	const found = issues.find(
		one => (one.level === 'error' || one.level === 'refused') && one.step === step && (one.field === field || one.field.startsWith(`${field}.`))
	)
	return found === undefined ? null : `${found.message} ${found.fix}`
}
