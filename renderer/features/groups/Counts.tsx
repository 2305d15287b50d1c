import type {CSSProperties} from 'react'

import {formatCount} from '#text/numbers.ts'

import {shareOf} from './group-facts.ts'
import styles from './Counts.module.css'
import {t} from './text.ts'

interface CountProps {
	own: number
	/** Own and below. */
	all: number
	/** The value of a full bar; `null`: computers not loaded. */
	whole: number | null
	tone: 'plain' | 'bad' | 'hold'
	title: string
}

/** Own number, and with subgroups, over a small bar of its share. */
export function Count({own, all, whole, tone, title}: CountProps) {
	if (whole === null)
		return (
			<span className={styles.count} data-tone="none" title={t.notKnownComputers}>
				<span className={styles.numbers}>?</span>
			</span>
		)
	const style: CSSProperties = {width: `${shareOf(all, whole)}%`}
	return (
		<span className={styles.count} data-tone={all === 0 ? 'none' : tone} title={title}>
			<span className={styles.numbers}>
				<span className={own === 0 ? styles.zero : undefined}>{formatCount(own)}</span>
				{own !== all && <span className={styles.all}> / {formatCount(all)}</span>}
			</span>
			<span className="meter" aria-hidden>
				<span style={style} />
			</span>
		</span>
	)
}
