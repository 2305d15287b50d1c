import {barsOf, laneKinds, lanesOf} from './LogPictures.tsx'

const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number)).toISOString()

test('changes are shown by person and hour, most active first', () => {
	const bars = barsOf(
		[
			{operator: 'ada', hour: hour(8), count: 1},
			{operator: 'grace', hour: hour(10), count: 5},
			{operator: 'ada', hour: hour(10), count: 2}
		],
		1
	)
	expect(bars).toMatchObject({from: hour(8), stepMs: 3_600_000})
	expect(bars.series.map(({name, values}) => [name, values])).toEqual([
		['grace', [0, 0, 5]],
		['ada', [1, 0, 2]]
	])
})

test('many people are put together, and nothing is lost', () => {
	const people = Array.from({length: 9}, (_, index) => `p${index}`)
	const writes = people.map((operator, index) => ({operator, hour: hour(index * 60), count: index + 1}))
	const {series, stepMs} = barsOf(writes, 6)
	expect(series.map(({name}) => name)).toEqual(['p8', 'p7', 'p6', 'p5', 'p4', 'others'])
	expect(series[0]?.values.length).toBe(81)
	expect(stepMs).toBe(6 * 3_600_000)
	expect(series.flatMap(({values}) => values).reduce((sum, value) => sum + value, 0)).toBe(45)
	expect(new Set(series.map(({tone}) => tone)).size).toBe(6)
})

test('without changes there is nothing to draw', () => {
	expect(barsOf([], 1).series).toEqual([])
})

test('each entry about a host is drawn', () => {
	const kinds = [
		...(['command.requested', 'command.succeeded', 'command.failed', 'command.outcome_unknown', 'command.observed'] as const),
		...(['secret.revealed', 'note', 'evidence.pinned', 'evidence.unpinned', 'lease.changed'] as const)
	]
	const missed = {id: 'm', at: hour(1), kind: 'command.observed', missed: true} as const
	const marks = [...kinds.map(kind => ({id: kind, at: hour(1), kind})), missed]
	const [lane] = lanesOf([{guid: 'g', label: 'FIN-7', entries: 10, marks}])
	expect(laneKinds.map(({name}) => name)).toEqual(lane?.marks.map(({kind}) => kind))
})

test('a lane keeps its marks and tells how many entries there are in all', () => {
	const [lane] = lanesOf([{guid: 'g', label: 'FIN-7', entries: 9, marks: [{id: 'a', at: hour(1), kind: 'note'}]}])
	expect(lane).toEqual({key: 'g', name: 'FIN-7', count: 9, marks: [{key: 'a', at: hour(1), kind: 'note'}]})
})
