import type {ReactNode} from 'react'

import {cx} from './cx.ts'
import styles from './KeyValue.module.css'

export interface Fact {
	readonly name: string
	readonly value: ReactNode
	readonly mono?: boolean
}

/** Names and values, one pair per line. */
export function KeyValue({facts}: {facts: readonly Fact[]}) {
	return (
		<dl className={styles.list}>
			{facts.map(fact => (
				<div key={fact.name} className={styles.pair}>
					<dt className={styles.name}>{fact.name}</dt>
					<dd className={cx(styles.value, fact.mono === true && styles.mono)}>{fact.value}</dd>
				</div>
			))}
		</dl>
	)
}
