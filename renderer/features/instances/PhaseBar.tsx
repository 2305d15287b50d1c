import type {RequestEntry} from '#contract/instances.ts'
import {formatMeasured} from '#text/durations.ts'

import {cx} from '#ui/cx.ts'
import styles from './PhaseBar.module.css'
import {phaseNames, phaseWords, totalMs} from './request-log.ts'
import {t} from './text.ts'

/** The phases of a request as a bar; the numbers are in its title and below the table. */
export function PhaseBar({entry}: {entry: RequestEntry}) {
	const all = totalMs(entry)
	const parts = phaseNames.filter(name => (entry.phases[name] ?? 0) > 0)
	const words = parts.map(name => `${phaseWords[name]} ${formatMeasured(entry.phases[name] ?? 0)}`).join(', ')
	return (
		<span className={styles.bar} role="img" aria-label={words === '' ? t.noPhases : words} title={words}>
			{parts.map(name => (
				<span key={name} className={cx(styles.part, styles[name])} style={{flexGrow: Math.max(0.02, (entry.phases[name] ?? 0) / all)}} />
			))}
		</span>
	)
}

/** Every phase with its number; omitted ones show a dash. */
export function PhaseNumbers({entry}: {entry: RequestEntry}) {
	return (
		<dl className={styles.numbers}>
			{phaseNames.map(name => {
				const ms = entry.phases[name]
				return (
					<div key={name} className={styles.number}>
						<dt>
							<span className={cx(styles.swatch, styles[name])} aria-hidden />
							{phaseWords[name]}
						</dt>
						<dd>{ms === null ? '–' : formatMeasured(ms)}</dd>
					</div>
				)
			})}
		</dl>
	)
}
