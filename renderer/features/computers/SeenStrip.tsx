import {useRef, type KeyboardEvent} from 'react'

import type {ComputerFacetValue} from '#contract/computer-list.ts'
import type {FilterTerm} from '#model/filter-term.ts'
import {formatCount} from '#text/numbers.ts'

import type {TypedFilter} from '#commands/filter/use-typed-filter.ts'
import {agesAsked, toggleAges} from './facet-terms.ts'
import styles from './SeenStrip.module.css'
import {t} from './text.ts'
import {seenAges, type SeenAge} from '#model/choices.ts'

const short: Readonly<Record<SeenAge, string>> = {
	'1h': '< 1 h',
	'1d': '1–24 h',
	'7d': '1–7 d',
	'30d': '7–30 d',
	'90d': '30–90 d',
	'365d': '90–365 d',
	older: '> 1 year',
	never: 'never'
}

interface SeenStripProps {
	/** `undefined` before the first answer, `null` if unknown, which differs from none. */
	counts: readonly ComputerFacetValue[] | null | undefined
	filter: TypedFilter<FilterTerm>
}

/**
 * Time since last seen, as bars with numbers: a click filters by that age, with Shift by a range from the last one. The counts
 * ignore the filter's own ages.
 */
export function SeenStrip({counts, filter}: SeenStripProps) {
	const anchor = useRef<SeenAge | null>(null)
	const asked = agesAsked(filter.text)
	const numbers = new Map(counts?.map(({value, count}) => [value, count]))
	const most = Math.max(1, ...numbers.values())
	const ask = (age: SeenAge, extend: boolean) => {
		const from = extend && anchor.current !== null ? anchor.current : age
		if (!extend) anchor.current = age
		filter.set(toggleAges(filter.text, from, age))
	}
	return (
		<div className={styles.strip} role="toolbar" aria-label={t.lastSeen} aria-busy={counts === undefined} onKeyDown={step}>
			{seenAges.map(({id, title}) => {
				const count = counts === undefined || counts === null ? null : (numbers.get(id) ?? 0)
				const words = counts === undefined ? '' : count === null ? '?' : formatCount(count)
				return (
					<button
						key={id}
						type="button"
						className={styles.bar}
						aria-pressed={asked?.includes(id) ?? false}
						title={t.lastSeenShift(title, counts === null ? t.howManyNot : '')}
						onClick={event => ask(id, event.shiftKey)}
					>
						<span className={styles.column} aria-hidden>
							{count !== null && count !== 0 && <span className={styles.fill} style={{height: `${Math.max(6, (100 * count) / most)}%`}} />}
						</span>
						<span className="cut">
							{short[id]} <span className={styles.count}>{words}</span>
						</span>
					</button>
				)
			})}
		</div>
	)
}

/** Arrow keys move between bars. */
function step(event: KeyboardEvent<HTMLElement>) {
	const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
	if (by === 0 || !(event.target instanceof HTMLElement)) return
	const next = by > 0 ? event.target.nextElementSibling : event.target.previousElementSibling
	if (!(next instanceof HTMLElement)) return
	event.preventDefault()
	next.focus()
}
