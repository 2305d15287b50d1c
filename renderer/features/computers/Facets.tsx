import {useMemo} from 'react'

import type {CordonError} from '#contract/errors.ts'
import type {ComputerFacets, ComputerFacetValue} from '#contract/computer-list.ts'
import type {FilterTerm} from '#model/filter-term.ts'
import {computerRoles, computerRoleTitles} from '#model/guard.ts'
import type {IsolationGlance} from '#model/isolation.ts'
import {isolationStates} from '#text/states.ts'

import {FacetPanel, type FacetSection, type FacetValue} from '#commands/filter/FacetPanel.tsx'
import type {TypedFilter} from '#commands/filter/use-typed-filter.ts'
import {KeyCap} from '#ui/Tag.tsx'
import {agesAsked, facetTerm, toggleAges} from './facet-terms.ts'
import {t} from './text.ts'
import {seenAges, type ComputerFacet} from '#model/choices.ts'

const titles: Readonly<Record<ComputerFacet, string>> = {
	group: 'Group',
	os: 'Operating system',
	policy: 'Policy',
	connector: 'Connector',
	isolation: 'Isolation',
	compromised: 'Compromised',
	tag: 'Tags',
	role: 'Role',
	guess: 'Probable role',
	seen: 'Last seen'
}
// The keys of the literal above.
const order = Object.keys(titles) as readonly ComputerFacet[]

interface FacetsProps {
	id: string
	filter: TypedFilter<FilterTerm>
	/** `undefined` before the first answer, `null` if unknown. */
	facets: ComputerFacets['facets'] | null | undefined
	error: CordonError | null
	onRetry: () => void
}

export function Facets({id, filter, facets, error, onRetry}: FacetsProps) {
	const sections = useMemo(() => (facets == null ? undefined : order.map(facet => sectionOf(facet, facets[facet]))), [facets])
	if (facets === null && error === null) return <FacetPanel {...{id, filter, error, onRetry}} sections={[]} note={t.notKnownList} />
	return <FacetPanel {...{id, filter, error, onRetry, sections}} />
}

function sectionOf(facet: ComputerFacet, values: readonly ComputerFacetValue[]): FacetSection {
	return {
		title: titles[facet],
		values: values.map(({value, count}) => ({key: value, count, ...wordsOf(facet, value)})),
		...(facet === 'tag' && values.length === 0 && {note: <NoTags />})
	}
}

function wordsOf(facet: ComputerFacet, value: string): Pick<FacetValue, 'label' | 'shape' | 'term' | 'ask'> {
	if (facet === 'seen') return ageWords(value)
	const term = facetTerm(facet, value)
	if (facet === 'isolation') {
		const state = isolationStates[value as IsolationGlance] // as the local copy has it, or none
		return {label: state?.word ?? value, shape: state?.shape ?? '?', term}
	}
	if (facet === 'role' || facet === 'guess') {
		const role = computerRoles.find(each => each === value)
		const title = role === undefined ? value : computerRoleTitles[role]
		return {label: facet === 'guess' ? `${title}?` : title, term}
	}
	return {label: value === '' ? 'none' : value, term}
}

function ageWords(value: string): Pick<FacetValue, 'label' | 'term' | 'ask'> {
	const age = seenAges.find(({id}) => id === value) ?? seenAges[0]
	return {
		label: age.title,
		term: '',
		ask: {holds: text => agesAsked(text)?.includes(age.id) ?? false, toggle: text => toggleAges(text, age.id, age.id)}
	}
}

function NoTags() {
	return (
		<>
			{t.noTagsPress} <KeyCap keys="l" /> {t.computerSelection}
		</>
	)
}
