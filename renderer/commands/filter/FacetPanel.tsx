import {useCallback, useDeferredValue, useMemo, useState, type ReactNode} from 'react'

import type {CordonError} from '#contract/errors.ts'
import {holdsTerm, toggleTerm, type FilterLanguage, type LanguageTerm} from '#model/filter-language.ts'
import {formatCount} from '#text/numbers.ts'

import {Link} from '#ui/Button.tsx'
import {SkeletonLines} from '#ui/States.tsx'
import {useLatest} from '#ui/use-latest.ts'
import {t} from '../text.ts'
import styles from './FacetPanel.module.css'
import type {TypedFilter} from './use-typed-filter.ts'

export interface FacetValue {
	key: string
	label: string
	count: number
	term: string
	/** What a click does, where one term cannot express it. */
	ask?: {holds(text: string): boolean; toggle(text: string): string}
	/** Beside the word, so that colour is not the only mark. */
	shape?: string | undefined
}

export interface FacetSection {
	title: string
	values: readonly FacetValue[]
	/** Below the values, such as why none exist. */
	note?: ReactNode
}

interface FacetPanelProps<T extends LanguageTerm> {
	id: string
	filter: TypedFilter<T>
	sections: readonly FacetSection[] | undefined
	error: CordonError | null
	onRetry: () => void
	/** Above all sections: what they count. */
	about?: ReactNode
	note?: ReactNode
}

const shownAtFirst = 6

/** How often each value occurs among the rows; a click filters by it. */
export function FacetPanel<T extends LanguageTerm>(props: FacetPanelProps<T>) {
	const {id, filter, sections, error, onRetry, about, note} = props
	const {language} = filter
	// Typing updates the rows first.
	const text = useDeferredValue(filter.text)
	const latest = useLatest(filter)
	const onAsk = useCallback((toggle: (typed: string) => string) => latest.current.set(toggle(latest.current.text)), [latest])
	// Scrolling the rows must not render the facets again.
	const lists = useMemo(
		() => sections?.map(section => <FacetList key={section.title} section={section} language={language} text={text} onAsk={onAsk} />),
		[sections, language, text, onAsk]
	)
	return (
		<aside id={id} className={styles.facets} aria-label={t.facets}>
			{about !== undefined && about !== null && <p className={styles.note}>{about}</p>}
			{lists !== undefined ? (
				lists
			) : error === null ? (
				<SkeletonLines lines={12} />
			) : (
				<p className={styles.note}>
					{error.message} <Link onPress={onRetry}>{t.tryAgain}</Link>
				</p>
			)}
			{note !== undefined && note !== null && <p className={styles.note}>{note}</p>}
		</aside>
	)
}

interface Asking<T extends LanguageTerm> {
	language: FilterLanguage<T>
	text: string
	onAsk: (toggle: (typed: string) => string) => void
}

function FacetList<T extends LanguageTerm>({section, ...asking}: Asking<T> & {section: FacetSection}) {
	const [isLong, setLong] = useState(false)
	const {title, values, note} = section
	if (values.length === 0 && note === undefined) return null
	const rest = values.length - shownAtFirst
	return (
		<section className={styles.list} aria-label={title}>
			<h2 className={styles.title}>{title}</h2>
			<ul>
				{values.slice(0, isLong ? values.length : shownAtFirst).map(value => (
					<li key={value.key}>
						<FacetButton value={value} {...asking} />
					</li>
				))}
			</ul>
			{rest > 0 && (
				<Link className={styles.more} onPress={() => setLong(!isLong)}>
					{isLong ? t.fewer : t.more(rest)}
				</Link>
			)}
			{note !== undefined && <p className={styles.note}>{note}</p>}
		</section>
	)
}

function FacetButton<T extends LanguageTerm>({value, language, text, onAsk}: Asking<T> & {value: FacetValue}) {
	const {label, count, term, shape} = value
	const ask = value.ask ?? {holds: typed => holdsTerm(language, typed, term), toggle: typed => toggleTerm(language, typed, term)}
	return (
		<button type="button" className={styles.facet} aria-pressed={ask.holds(text)} title={label} onClick={() => onAsk(ask.toggle)}>
			<span className={styles.label}>
				{shape !== undefined && (
					<span className={styles.shape} aria-hidden>
						{shape}
					</span>
				)}
				{label}
			</span>
			<span className={styles.count}>{formatCount(count)}</span>
		</button>
	)
}
