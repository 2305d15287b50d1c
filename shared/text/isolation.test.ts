import {confirmedSentence, jobMark, leaseEnd, logMark, markIn, pendingWords, stateSentence, termWords, reachWords} from './isolation.ts'

test('a request that reached its end names what was done and how long it took', () => {
	const name = 'FIN-LT-0231'
	expect([
		confirmedSentence({name, action: 'release', state: 'not_isolated', afterMs: 5400}),
		confirmedSentence({name, action: 'isolate', state: 'isolated', afterMs: 3_700_000})
	]).toEqual(['FIN-LT-0231 released; confirmed after 6 s.', 'FIN-LT-0231 isolated; confirmed after 62 min.'])
})

test('a request that did not reach its end names what its agent reported', () => {
	const name = 'FIN-LT-0231'
	expect([
		confirmedSentence({name, action: 'release', state: 'isolated', afterMs: 12_000}),
		confirmedSentence({name, action: 'isolate', state: 'not_isolated', afterMs: 12_000})
	]).toEqual([
		'FIN-LT-0231 was not released. Its agent reported isolated, 12 s after the request.',
		'FIN-LT-0231 was not isolated. Its agent reported not isolated, 12 s after the request.'
	])
})

test('isolations and releases that wait are counted as pending changes', () => {
	expect([pendingWords(1, 0), pendingWords(2, 1)]).toEqual(['1 pending change', '2 pending changes, 1 overdue'])
})

test('a lease says what happens at its end', () => {
	expect([leaseEnd(false, false), leaseEnd(true, false), leaseEnd(true, true)]).toEqual([
		'no expiry; release manually',
		'manual release; Cordon sends a reminder at expiry',
		'automatic release at expiry, or when Cordon next starts'
	])
	expect([termWords(null), termWords(4), termWords(168)]).toEqual(['no expiry', '4 hours', '7 days'])
})

test('a state of the service names its author', () => {
	const state = {available: true, status: 'pending_start', isolated_by: 'Kim'}
	expect(stateSentence('FIN-1', state)).toBe('FIN-1 is being isolated, requested by Kim; waiting for its agent.')
	expect(stateSentence('FIN-1', {available: true, status: 'melting'})).toBe('FIN-1 is in the state "melting", which Cordon does not know.')
})

test('what an isolated computer still reaches depends on its policy, if loaded', () => {
	expect(reachWords(null)).toBe('Its policy was not read: it may allow more than the service during isolation.')
	expect(reachWords({name: 'Protect', allowed: null})).toContain('was not read')
	expect(reachWords({name: 'Protect', allowed: []})).toBe('Its policy Protect allows nothing but the service during isolation.')
	expect(reachWords({name: 'Protect', allowed: ['Forensics', 'DNS\u202e']})).toBe(
		'Its policy Protect also allows during isolation: Forensics, DNS‹U+202E›.'
	)
})

test('a comment that the service changed is known by the mark at its end', () => {
	for (const mark of [logMark('0190-1234abcd'), jobMark('j-7')]) expect(markIn(`Beaconing (host) ${mark} `)).toBe(mark)
	expect(markIn('Beaconing (host)')).toBeUndefined()
})
