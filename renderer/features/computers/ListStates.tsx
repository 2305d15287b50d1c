import {Fragment} from 'react'

import {nearest} from '#shared/commands/nearest.ts'
import type {ComputerFacets} from '#contract/computer-list.ts'
import {type CordonError, errorFromReport} from '#contract/errors.ts'
import {computerFilter} from '#model/computer-filter.ts'
import {quoteText} from '#model/filter-format.ts'
import type {FilterTerm} from '#model/filter-term.ts'
import {formatCount} from '#text/numbers.ts'
import {useActiveFrame, useAskedHere} from '#api/hooks.tsx'
import type {TypedFilter} from '#commands/filter/use-typed-filter.ts'
import {useReadComputers} from '#commands/use-read-computers.ts'
import {Link} from '#ui/Button.tsx'
import {EmptyState, ScreenErrorState, FailureBanner, Reason, LocalDataError} from '#ui/States.tsx'
import {Time} from '#ui/Time.tsx'
import type {ComputerFacet} from '#model/choices.ts'
import {t} from './text.ts'

export function ListBanner() {
	const read = useReadComputers()
	const inventory = useActiveFrame()?.inventory
	if (inventory === undefined || inventory.rows === 0) return null
	if (inventory.phase === 'partial') {
		const one = inventory.missing.length === 1
		const pages = inventory.missing.map(offset => offset / 500 + 1).join(', ')
		return (
			<FailureBanner error={inventory.error} act={[t.reload(one ? t.thisPage : t.thesePages), read.missing]}>
				{t.couldNotLoadedColon(one ? t.page : t.pages, pages)} <Reason error={inventory.error} />{' '}
				{inventory.rows < (inventory.total ?? 0) ? t.listIncomplete : t.olderRowsShown}
			</FailureBanner>
		)
	}
	if (inventory.phase !== 'failed') return null
	return (
		<FailureBanner error={inventory.error} act={[t.tryAgain, read.again]}>
			{t.couldNotRefresh} <Reason error={inventory.error} /> {t.youSeeLocal} <Time at={inventory.readAt} form="age" focusable /> {t.oldAtEnd}
		</FailureBanner>
	)
}

interface NoRowsProps {
	error: CordonError | null
	onRetry: () => void
	filter: Pick<TypedFilter, 'applied' | 'set'>
	/** Rows of the local copy without the filter. */
	all: number
}

export function NoRows({error, onRetry, filter, all}: NoRowsProps) {
	const read = useReadComputers().again
	const inventory = useActiveFrame()?.inventory
	if (error !== null) return <LocalDataError error={error} onRetry={onRetry} />
	if (all > 0) return <NothingMatches filter={filter} all={all} />
	if (inventory?.error != null)
		return <ScreenErrorState error={errorFromReport(inventory.error)} title={t.couldNotLoadComputers} onRetry={read} />
	return (
		<EmptyState title={t.noComputersYet} act={[t.loadTheList, read]}>
			{t.serviceLists}
		</EmptyState>
	)
}

/** No match in the local copy: the filter, and a suggestion. */
function NothingMatches({filter, all}: Pick<NoRowsProps, 'filter' | 'all'>) {
	const {data} = useAskedHere(q => q.computers.facets, {filter: ''})
	const meant = data === undefined ? [] : meantInstead(filter.applied, data.facets)
	return (
		<EmptyState title={t.noComputerMatches} act={[t.showAllOf(formatCount(all)), () => filter.set('')]}>
			<p>
				{t.noneComputers(formatCount(all), filter.applied)}
				{meant.length !== 0 && t.didYouMean}
				{meant.map(({term, filter: whole}, index) => (
					<Fragment key={term}>
						{index === 0 ? '' : t.or}
						<Link onPress={() => filter.set(whole)}>{term}</Link>
					</Fragment>
				))}
				{meant.length === 0 ? '' : '?'}
			</p>
		</EmptyState>
	)
}

interface Meant {
	term: string
	filter: string
}

/** Facets with typed words as values. */
const worded = ['group', 'policy', 'os', 'connector', 'tag'] as const satisfies readonly ComputerFacet[]

/** Shorter texts resemble anything. */
const shortest = 4

/** For each condition whose value no computer has: the filter with the most similar value or word. */
export function meantInstead(filter: string, facets: ComputerFacets['facets']): readonly Meant[] {
	return computerFilter.parse(filter).terms.flatMap(term => {
		const found = insteadOf(term, facets)
		if (found === null) return []
		const instead = term.field === 'any' ? quoteText(found) : `${term.field}:${quoteText(found)}`
		return [{term: instead, filter: `${filter.slice(0, term.start)}${instead}${filter.slice(term.end)}`}]
	})
}

function insteadOf(term: FilterTerm, facets: ComputerFacets['facets']) {
	const typed = typedIn(term)
	// A bare word with a digit is a computer's name or address.
	if (typed === null || typed.length < shortest || (term.field === 'any' && /\d/.test(typed))) return null
	const values = valuesFor(term, facets)
	return values.some(value => isCarried(typed, value, term.operator)) ? null : closest(typed, values)
}

function isCarried(typed: string, value: string, operator: FilterTerm['operator']) {
	const [wanted, there] = [typed.toLowerCase(), value.toLowerCase()]
	return operator === '=' ? there === wanted : there.includes(wanted)
}

/** One required plain text; `null` for anything else. */
function typedIn({negated, operator, values}: FilterTerm) {
	const [value] = values
	if (negated || values.length !== 1 || (operator !== ':' && operator !== '=') || value?.kind !== 'text') return null
	const [text] = value.parts
	return value.parts.length === 1 && text !== undefined ? text : null
}

function valuesFor({field}: FilterTerm, facets: ComputerFacets['facets']) {
	const about = worded.filter(facet => field === 'any' || facet === field)
	return about.flatMap(facet => facets[facet].map(({value}) => value)).filter(value => value !== '')
}

function closest(typed: string, values: readonly string[]) {
	const words = values.flatMap(value => value.split(/\s+/))
	return nearest(typed, [...new Set(values)]) ?? nearest(typed, [...new Set(words)]) ?? null
}
