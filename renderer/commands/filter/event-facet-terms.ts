import type {EventFacets, Facet} from '#contract/events.ts'
import {quoteText} from '#model/filter-format.ts'

import {outcomeWords, severityWords} from '#ui/event-words.ts'
export type FacetName = Exclude<keyof EventFacets, 'counted'>

/** The typed term for a facet's value. The filter names groups too. */
export function facetTerm(name: FacetName, {value, label}: Pick<Facet, 'value' | 'label'>) {
	switch (name) {
		case 'type':
			return `type${/^\d+$/.test(value) ? ':' : '='}${quoteText(value)}`
		case 'severity':
		case 'outcome':
			return `${name}:${value}`
		case 'group':
			return `group=${quoteText(label)}`
		case 'detection':
			return `detection=${quoteText(value)}`
	}
}

export function shapeOf(name: FacetName, value: string) {
	const known: Readonly<Record<string, {shape: string}>> = name === 'severity' ? severityWords : name === 'outcome' ? outcomeWords : {}
	return known[value]?.shape
}
