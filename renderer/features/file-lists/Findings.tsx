import {CircleCheck, CircleSlash, Info, TriangleAlert} from 'lucide-react'

import {Button} from '#ui/Button.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import type {Finding} from './checks.ts'
import styles from './FileLists.module.css'
import {t} from './text.ts'
import type {PrevalenceQuestion} from './use-prevalence.ts'

const looks = {
	refused: {Icon: CircleSlash, word: 'Refused'},
	red: {Icon: TriangleAlert, word: 'Danger'},
	amber: {Icon: TriangleAlert, word: 'Warning'},
	idle: {Icon: CircleCheck, word: 'Nothing to do'},
	plain: {Icon: Info, word: 'Note'}
} as const

/** Arguments for and against it, most severe first. */
export function Findings({findings}: {findings: readonly Finding[]}) {
	return (
		<ul className={styles.findings} aria-label={t.checks} aria-live="polite">
			{findings.map(({level, message}) => {
				const {Icon, word} = looks[level]
				return (
					<li key={message} data-level={level}>
						<Icon size={14} role="img" aria-label={word} />
						<span>{message}</span>
					</li>
				)
			})}
		</ul>
	)
}

/** The only check that costs a call. */
export function AskPrevalence({question, keys}: {question: PrevalenceQuestion; keys?: string}) {
	const {answer, isAsking, failed, ask} = question
	return (
		<div className={styles.ask}>
			<Button small onPress={ask} reason={isAsking ? t.queryInProgress : null}>
				{t.forOneCall(answer === null ? t.howManyComputers : t.queryAgainTitle)} {keys !== undefined && <KeyCap keys={keys} />}
			</Button>
			{failed !== null && (
				<span className={styles.warn} role="alert">
					{t.couldNotQuery} {failed}
				</span>
			)}
		</div>
	)
}
