import {computerRoleTitles} from '#model/guard.ts'

import {Banner} from '#ui/States.tsx'
import {Tag} from '#ui/Tag.tsx'
import {t} from '../text.ts'
import styles from './guard.module.css'
import type {JudgementView} from './use-judgement.ts'

/** Roles, why a click is not enough, how many isolations happened today, and the cost of the change. */
export function GuardNotes({view}: {view: JudgementView}) {
	const {answer, refusal, failed} = view
	if (failed !== null)
		return (
			<Banner tone="bad">
				{t.couldNotCheck} {failed}
			</Banner>
		)
	if (answer === undefined) return null
	const {judgement, price, undo} = answer
	return (
		<div className={styles.notes}>
			<Roles view={view} />
			{refusal !== null && (
				<Banner tone="bad">
					{refusal} {t.changeGuard}
				</Banner>
			)}
			{refusal === null && judgement.tier === 3 && <Banner tone="warning">{judgement.because.join(' ')}</Banner>}
			{undo?.possible === false && <Banner tone="warning">{undo.sentence}</Banner>}
			<p className="quiet">
				{t.cost(
					price.sentence,
					judgement.rolling === null ? '' : t.isolationsLast(judgement.rolling.hours, judgement.rolling.used, judgement.rolling.limit),
					undo?.possible === true ? ` ${undo.sentence}` : ''
				)}
			</p>
		</div>
	)
}

function Roles({view}: {view: JudgementView}) {
	const target = view.answer?.target
	if (target === null || target === undefined || target.roles.length + target.guessedRoles.length === 0) return null
	return (
		<p className={styles.roles}>
			{target.roles.map(role => (
				<Tag key={role} tone="warn">
					{computerRoleTitles[role]}
				</Tag>
			))}
			{target.guessedRoles.map(role => (
				<Tag key={role}>
					{t.looksLike} {computerRoleTitles[role]}
				</Tag>
			))}
		</p>
	)
}
