import {seenAges, type ComputerFacet, type SeenAge} from '#model/choices.ts'
import {computerFilter} from '#model/computer-filter.ts'
import {quoteText} from '#model/filter-format.ts'
import {cutOut} from '#model/filter-language.ts'
import {computerRoles} from '#model/guard.ts'
import {roleWord} from '#model/label.ts'

/** The filter term of a value; `''` is the value of a computer without any. */
export function facetTerm(facet: Exclude<ComputerFacet, 'seen'>, value: string) {
	switch (facet) {
		case 'group':
		case 'os':
		case 'policy':
		case 'connector':
			return value === '' ? `${facet}:empty` : `${facet}=${quoteText(value)}`
		case 'tag':
			return `tag=${quoteText(value)}`
		case 'isolation':
		case 'compromised':
			return `${facet}:${value}`
		case 'role':
		case 'guess': {
			const role = computerRoles.find(each => each === value)
			return `${facet}:${role === undefined ? value : roleWord(role)}`
		}
	}
}

export function ageTerms(age: SeenAge) {
	if (age === 'never') return 'last_seen:empty'
	const {longer, within} = seenAges.find(({id}) => id === age) ?? seenAges[0]
	return [longer === null ? '' : `last_seen>${longer}`, within === null ? '' : `last_seen<${within}`].filter(term => term !== '').join(' ')
}

/** The ages in the filter; `null` without any, or if they form no range. */
export function agesAsked(filter: string): readonly SeenAge[] | null {
	const asked = seenTerms(filter).map(computerFilter.format).toSorted().join(' ')
	if (asked === '') return null
	const run = runs.find(({terms}) => terms === asked)
	return run?.ages ?? null
}

/** The filter with these ages in place of its own, or without any if they are equal. */
export function toggleAges(filter: string, from: SeenAge, to: SeenAge) {
	const rest = seenTerms(filter)
		.toReversed()
		.reduce((text, term) => cutOut(text, term), filter)
	const terms = termsOfRun(from, to)
	if (seenTerms(filter).map(computerFilter.format).toSorted().join(' ') === sorted(terms)) return rest
	return rest.trim() === '' ? terms : `${rest.trimEnd()} ${terms}`
}

function seenTerms(filter: string) {
	return computerFilter.parse(filter).terms.filter(term => term.field === 'last_seen' && !term.negated)
}

/** From one age to another, in either order; *never* stands alone. */
function termsOfRun(a: SeenAge, b: SeenAge) {
	if (a === 'never' || b === 'never') return ageTerms('never')
	const [first, last] = place(a) <= place(b) ? [a, b] : [b, a]
	const longer = seenAges[place(first)]?.longer ?? null
	const within = seenAges[place(last)]?.within ?? null
	const terms = [longer === null ? '' : `last_seen>${longer}`, within === null ? '' : `last_seen<${within}`]
	return terms.filter(term => term !== '').join(' ')
}

function place(age: SeenAge) {
	return seenAges.findIndex(({id}) => id === age)
}

function sorted(terms: string) {
	return terms.split(' ').toSorted().join(' ')
}

/** Every range of neighbouring ages with its terms. */
const runs = seenAges.flatMap(({id: from}, first) =>
	seenAges.slice(first).flatMap(({id: to}, more) => {
		if (from === 'never' ? to !== 'never' : to === 'never') return []
		const ages: readonly SeenAge[] = seenAges.slice(first, first + more + 1).map(({id}) => id)
		return [{ages, terms: sorted(termsOfRun(from, to))}]
	})
)
