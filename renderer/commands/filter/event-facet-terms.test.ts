import {eventFilter} from '#model/event-filter.ts'
import {holdsTerm, toggleTerm} from '#model/filter-language.ts'

import {facetTerm} from './event-facet-terms.ts'

describe('a value of a facet', () => {
	it.each([
		['type', {value: '1090519054', label: 'Threat Detected'}, 'type:1090519054'],
		['type', {value: 'Odd Kind', label: 'Odd Kind'}, 'type="Odd Kind"'],
		['group', {value: 'b1', label: 'Finance laptops'}, 'group="Finance laptops"'],
		['detection', {value: 'W32.Auto:abc', label: 'W32.Auto:abc'}, 'detection=W32.Auto:abc']
	] as const)('of %s is typed as it can be read again', (name, facet, term) => {
		expect(facetTerm(name, facet)).toBe(term)
		expect(holdsTerm(eventFilter, toggleTerm(eventFilter, '', term), term)).toBe(true)
	})
})
