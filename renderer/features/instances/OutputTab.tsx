import {useEffect, useRef} from 'react'

import type {InstanceDetail} from '#contract/instances.ts'

import {CopyButton} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {EmptyState} from '#ui/States.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './tabs.module.css'
import {t} from './text.ts'

/** The latest output of a managed instance. Follows the end unless scrolled up. */
export function OutputTab({lines}: {lines: InstanceDetail['output']}) {
	const box = useRef<HTMLDivElement>(null)
	const isAtEnd = useRef(true)
	useEffect(() => {
		const element = box.current
		if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
	}, [lines])
	if (lines.length === 0) return <EmptyState title={t.nothingPrinted}>{t.whatCommand}</EmptyState>
	return (
		<div className={cx(styles.tab, styles.fill)}>
			<div className={styles.above}>
				<span>{t.theLastLines(lines.length)}</span>
				<CopyButton text={lines.map(({text}) => text).join('\n')} what="output" />
			</div>
			<div
				ref={box}
				className={styles.output}
				tabIndex={0}
				role="log"
				aria-label={t.output}
				aria-live="off"
				onScroll={({currentTarget: {scrollTop, clientHeight, scrollHeight}}) => {
					isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4
				}}
			>
				{numbered(lines).map(line => (
					<div key={line.number} className={styles.outputLine}>
						<Time at={line.at} form="clock" />
						<span className={line.stream === 'stderr' ? 'warn' : 'dim'}>{line.stream}</span>
						<span>{line.text}</span>
					</div>
				))}
			</div>
		</div>
	)
}

/** Lines have no id, and the same text may come twice in a millisecond. */
function numbered(lines: InstanceDetail['output']) {
	return lines.map((line, number) => ({...line, number}))
}
