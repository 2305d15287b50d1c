import {itemsKnown} from '#model/file-list.ts'
import {answerWords, callWords, countWords, coveredWords, kindWords, percentOf, readCalls} from './words.ts'

const read = (read: number, of: number | null, at: string | null = 'now', running = false) => ({
	guid: 'a',
	name: 'A',
	type: 'application_blocking',
	items: of,
	itemsRead: {read, of, at, running},
	policies: null,
	covered: null,
	problem: null,
	vanishedAt: null
})

test.each([
	[read(0, null, null), 'never', '?'],
	[read(0, 720, null), 'never', '720'],
	[read(500, 720, 'now', true), 'reading', '500 of 720'],
	[read(500, null, 'now', true), 'reading', '≥ 500'],
	[read(500, 720), 'part', '500 of 720'],
	[read(500, null), 'part', '≥ 500'],
	[{...read(500, null), items: 500}, 'whole', '500'],
	[read(720, 720), 'whole', '720']
])('how much of a list is known: %#', (list, known, count) => {
	expect([itemsKnown(list), countWords(list)]).toEqual([known, count])
})

test('a failure makes it a part, whatever was counted', () => {
	const problem = {code: 'response_timeout', message: 'No answer.', fault: 'network', retry: 'later'} as const
	expect(itemsKnown({...read(720, 720), problem})).toBe('part')
})

test('prices: a page for each 500, one at least, and nothing is invented', () => {
	expect([0, 1, 500, 501, 100_000].map(count => readCalls(read(0, count)))).toEqual([1, 1, 1, 2, 200])
	expect(readCalls(read(0, null))).toBeNull()
	expect([callWords(1), callWords(200), callWords(null)]).toEqual(['1 call', '200 calls', 'cost unknown'])
})

test('shares and counts in words', () => {
	expect([percentOf(0, 0), percentOf(1, 1000), percentOf(1, 3), percentOf(1999, 2000), percentOf(3, 3)]).toEqual([
		'–',
		'<1%',
		'33%',
		'>99%',
		'100%'
	])
	expect([coveredWords(null, 5), coveredWords(2, null), coveredWords(1200, 3000)]).toEqual(['?', '?', '1,200 of 3,000'])
})

test('an unknown kind of list keeps its own word', () => {
	expect(kindWords('android_custom').title).toBe('android_custom')
})

test('the answer about a hash says who saw it, where it is blocked, and who does not enforce it', () => {
	const [one, two] = ['p', 'q'].map(policyGuid => ({guid: policyGuid, hostname: `PC-${policyGuid}`, policyGuid}))
	const list = (policies: string[] | null) => ({name: 'Bad', policies: policies?.map(guid => ({guid, name: guid})) ?? null})
	const rows = [one, two].flatMap(row => row ?? [])
	expect([
		answerWords([], 0, [], true, 0),
		answerWords([], 0, [], true, 2),
		answerWords([], 0, [], true, null),
		answerWords(rows, 2, [], true, 0),
		answerWords(rows, 2, [list(null)], true, 0),
		answerWords(rows, 2, [list(['p'])], true, 1),
		answerWords(rows, 2, [list(['p']), list(['q'])], false, 1),
		answerWords(rows, 300, [list(['p']), list(['q'])], true, 0),
		answerWords(rows, 300, [list(['p'])], true, 0)
	]).toEqual([
		'Seen on no computer in stored events, blocked nowhere.',
		'Seen on no computer in stored events, on no loaded blocking list; 2 blocking lists not fully loaded.',
		'Seen on no computer in stored events, on no loaded blocking list; not all file lists have been loaded.',
		'Seen on 2 computers, blocked nowhere.',
		'Seen on 2 computers, on Bad; who enforces it is not known yet.',
		'Seen on 2 computers, on Bad; not enforced by PC-q; 1 blocking list not fully loaded.',
		'Seen on at least 2 computers, on Bad, Bad; all of them enforce it.',
		'Seen on 300 computers, on Bad, Bad; 2 enforce it, 298 not checked.',
		'Seen on 300 computers, on Bad; not enforced by PC-q, 298 not checked.'
	])
})
