import type {InstanceHealth} from '#model/instance.ts'

import {cx} from '#ui/cx.ts'
import styles from './State.module.css'
import {stateLooks} from './words.ts'

/** A state as shape, word and colour, with its reason if there is room. */
export function State({health, withReason = false}: {health: InstanceHealth; withReason?: boolean}) {
	const {shape, word, tone} = stateLooks[health.state]
	return (
		<span className={styles.state} title={health.reason ?? undefined}>
			<span className={cx(styles.word, tone === 'plain' ? 'dim' : tone)}>
				<span aria-hidden>{shape}</span> {word}
			</span>
			{withReason && health.reason !== null && <span className={styles.reason}>{health.reason}</span>}
		</span>
	)
}
