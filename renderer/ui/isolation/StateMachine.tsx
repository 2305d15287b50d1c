import {isolationStatuses, type IsolationGlance} from '#shared/model/isolation.ts'
import {isolationStates} from '#shared/text/states.ts'

import {cx} from '../cx.ts'
import {t} from '../text.ts'
import styles from './StateMachine.module.css'

/** Positions of the states: the upper row leads into isolation, the lower one out of it. */
const places = {not_isolated: 'topLeft', pending_start: 'topRight', isolated: 'bottomRight', pending_stop: 'bottomLeft'} as const

/** The four isolation states and their transitions, with the present one highlighted; or a note on another state. */
export function StateMachine({state}: {readonly state: IsolationGlance}) {
	const isOutside = state === 'unavailable' || state === 'unknown'
	return (
		<div
			className={cx(styles['machine'], isOutside && styles['off'])}
			role="img"
			aria-label={t.isolationOf(isolationStates[state].word)}
		>
			<svg className={styles['ways']} viewBox="0 0 340 78" preserveAspectRatio="none" aria-hidden="true">
				<path d="M85 17H255V61H85Z" />
			</svg>
			{isolationStatuses.map(status => (
				<div key={status} className={cx(styles['node'], styles[places[status]], state === status && styles['present'])}>
					<span aria-hidden="true">{isolationStates[status].shape}</span>
					{isolationStates[status].word}
				</div>
			))}
			{isOutside ? (
				<div className={styles['outside']}>
					<span aria-hidden="true">{isolationStates[state].shape}</span>
					{isolationStates[state].word}
				</div>
			) : null}
		</div>
	)
}
