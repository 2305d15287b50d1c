import type {Trajectory, TrajectoryPoint} from '#contract/insight.ts'

import {layOut} from './layout.ts'
import {fileOf, merged, partOf} from './merge.ts'
import {moveFrom} from './moves.ts'
import {comparedIn} from './search.ts'
import type {Disposition} from '#model/choices.ts'

const bad = 'b'.repeat(64)
const own = 'c'.repeat(64)

function reading(hostname: string, events: [second: number, lane: string, parent?: string][]): Trajectory {
	const points = events.map(([second, lane, parent = null], index): TrajectoryPoint => {
		const at = `2026-01-31T14:00:${String(second).padStart(2, '0')}.000Z`
		const none = {id: null, parentName: null, remote: null, mitre: [], nanoseconds: 0, severity: 'none', detectionId: null} as const
		const disposition: Disposition = lane === bad ? 'malicious' : 'clean'
		return {...none, index, at, lane, parent, type: 'Executed by', shape: 'execute', disposition, text: lane, sha256: lane}
	})
	const lanes = [...new Set(points.map(({lane}) => lane))].map(id => {
		const disposition: Disposition = id === bad ? 'malicious' : 'clean'
		return {id, label: id.slice(0, 4), names: [], events: 1, keeps: false, disposition}
	})
	return {guid: hostname, hostname, query: '', readAt: '', cut: false, oldest: points[0]?.at ?? null, unknown: [], lanes, points}
}

const first = reading('ONE', [
	[5, bad],
	[20, own, bad]
])
const second = reading('TWO', [
	[1, 'system'],
	[9, bad],
	[30, bad, 'system']
])
const everything = {hideClean: false, name: ''}

test('one computer alone stays as it was read', () => {
	const drawn = merged(first, [])
	expect(drawn.points).toBe(first.points)
	expect(drawn.originOf(1)).toMatchObject({part: {hostname: 'ONE'}, index: 1})
	expect(layOut(drawn, everything).lanes.some(({header}) => header !== undefined)).toBe(false)
})

describe('several computers', () => {
	const drawn = merged(first, [second])
	const layout = layOut(drawn, everything)

	test('are one axis of time, and every event knows where it came from', () => {
		expect(drawn.points.map(({at}) => at)).toEqual(drawn.points.map(({at}) => at).toSorted())
		expect(drawn.points.map(({index}) => index)).toEqual([0, 1, 2, 3, 4])
		const origins = drawn.points.map(({index}) => drawn.originOf(index))
		expect(origins.map(origin => [origin?.part.hostname, origin?.index])).toEqual([
			['TWO', 0],
			['ONE', 0],
			['TWO', 1],
			['ONE', 1],
			['TWO', 2]
		])
		expect(drawn.points.map(({lane, parent}) => [partOf(lane), fileOf(lane), parent])).toContainEqual([1, bad, '1:system'])
	})

	test('each have a row with their name above their lanes', () => {
		expect(layout.lanes.map(({header, lane}) => header?.hostname ?? lane.id)).toEqual(['ONE', bad, own, 'TWO', '1:system', `1:${bad}`])
	})

	test('have their common files linked, and a key leads across and back', () => {
		expect([...layout.shared]).toEqual([[bad, [1, 5]]])
		const here = drawn.points.findIndex(({lane}) => lane === bad)
		const there = moveFrom(layout, here, 'across')
		expect(drawn.points[there ?? -1]?.lane).toBe(`1:${bad}`)
		expect(moveFrom(layout, there, 'across')).toBe(here)
		expect(
			moveFrom(
				layout,
				drawn.points.findIndex(({lane}) => lane === own),
				'across'
			)
		).toBeNull()
	})

	test('show common files alone on request; arrows step over the rows of names', () => {
		const common = layOut(drawn, {...everything, sharedOnly: true})
		expect(common.lanes.filter(({header}) => header === undefined).map(({lane}) => fileOf(lane.id))).toEqual([bad, bad])
		const here = drawn.points.findIndex(({lane}) => lane === bad)
		expect(drawn.points[moveFrom(common, here, 'down') ?? -1]?.lane).toBe(`1:${bad}`)
		expect(moveFrom(common, here, 'up')).toBeNull()
	})
})

test('an address names each other computer once, and no more than four', () => {
	const guid = (digit: string) => `${digit.repeat(8)}-1111-4222-8333-000000000000`
	const all = ['1', '2', '2', '3', '4', '5', '6'].map(guid)
	expect(comparedIn([...all, 'nonsense'].join(','), guid('1'))).toEqual(['2', '3', '4', '5'].map(guid))
	expect(comparedIn(undefined, guid('1'))).toEqual([])
})
