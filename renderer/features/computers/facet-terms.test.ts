import {computerFilter} from '#model/computer-filter.ts'

import {agesAsked, ageTerms, facetTerm, toggleAges} from './facet-terms.ts'

test.each([
	['group', 'Finance Laptops', 'group="Finance Laptops"'],
	['group', '', 'group:empty'],
	['os', 'Windows 10, "LTSC"', String.raw`os="Windows 10, \"LTSC\""`],
	['connector', '8.4.0.30201', 'connector=8.4.0.30201'],
	['isolation', 'pending_start', 'isolation:pending_start'],
	['compromised', 'yes', 'compromised:yes'],
	['tag', 'tier 0', 'tag="tier 0"'],
	['role', 'domain_controller', 'role:dc'],
	['guess', 'server', 'guess:server']
] as const)('of %s the value “%s” is typed as %s, and can be read again', (facet, value, term) => {
	expect(facetTerm(facet, value)).toBe(term)
	expect(computerFilter.parse(term).problems).toEqual([])
})

test('an age is asked for by its two ends', () => {
	expect(ageTerms('1h')).toBe('last_seen<1h')
	expect(ageTerms('30d')).toBe('last_seen>7d last_seen<30d')
	expect(ageTerms('older')).toBe('last_seen>365d')
	expect(ageTerms('never')).toBe('last_seen:empty')
})

it('takes the place of the ages that were asked for before, and goes with a second click', () => {
	const first = toggleAges('os:windows last_seen>7d FIN-', '30d', '30d')
	expect(first).toBe('os:windows FIN- last_seen>7d last_seen<30d')
	expect(agesAsked(first)).toEqual(['30d'])
	const wider = toggleAges(first, '90d', '7d')
	expect(wider).toBe('os:windows FIN- last_seen>1d last_seen<90d')
	expect(agesAsked(wider)).toEqual(['7d', '30d', '90d'])
	expect(toggleAges(wider, '7d', '90d')).toBe('os:windows FIN-')
})

test('what is no run of ages is told apart', () => {
	expect(agesAsked('os:windows')).toBeNull()
	expect(agesAsked('last_seen>3d')).toBeNull()
	expect(agesAsked('last_seen>30d')).toEqual(['90d', '365d', 'older'])
	expect(agesAsked('last_seen:empty')).toEqual(['never'])
})
