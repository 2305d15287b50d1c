import type {IsolationGlance} from '#model/isolation.ts'
import {isolationStates} from '#text/states.ts'

import {IsolationState} from '../IsolationState.tsx'
import {t} from '../text.ts'
import {Time} from '../Time.tsx'
import styles from './StateLine.module.css'

interface StateLineProps {
	state: IsolationGlance
	/** As far as it is known here. */
	since: string | null
	/** Its time can be reached by the keyboard. */
	focusable?: boolean
}

export function StateLine({state, since, focusable = false}: StateLineProps) {
	return (
		<p className={styles.line}>
			<span role="img" aria-label={t.isolationOf(isolationStates[state].word)}>
				<IsolationState state={state} />
			</span>
			{since !== null && (
				<span>
					{t.forAtLeast} <Time at={since} form="age" focusable={focusable} />
				</span>
			)}
		</p>
	)
}
