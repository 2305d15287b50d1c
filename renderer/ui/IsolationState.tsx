import type {IsolationGlance} from '#model/isolation.ts'
import {isolationStates} from '#text/states.ts'

import {cx} from './cx.ts'
import styles from './IsolationState.module.css'

export function IsolationState({state}: {state: IsolationGlance}) {
	const {shape, word} = isolationStates[state]
	const held = state === 'pending_start' || state === 'isolated' || state === 'pending_stop'
	return (
		<span className={cx(styles.state, held && styles.held)}>
			<span aria-hidden>{shape}</span>
			{word}
		</span>
	)
}
