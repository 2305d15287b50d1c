import fc from 'fast-check'

import type {AttackStory} from '#shared/attack-story.ts'
import type {Trajectory, TrajectoryPoint} from '#contract/insight.ts'

import {beadsOf, densityOf, layOut, timeOf, type Layout} from './layout.ts'
import {moveFrom} from './moves.ts'
import {around, between, panned, showing, within, zoomed} from './span.ts'
import {ticksOf} from './paint.ts'
import {computed} from '#base/testing/cpu.ts'
import type {Disposition} from '#model/choices.ts'

const start = Date.UTC(2026, 0, 31, 14)

type Event = Partial<TrajectoryPoint> & {lane: string; ms: number}

function trajectoryOf(events: Event[], keeps: string[] = []): Trajectory {
	const points = events.map(({ms, ...event}, index) => {
		const none = {
			id: null,
			nanoseconds: 0,
			parent: null,
			parentName: null,
			remote: null,
			mitre: [],
			severity: 'none',
			detectionId: null,
			sha256: null
		} as const
		const plain = {type: 'Executed by', shape: 'execute', disposition: 'clean', text: `event ${index}`} as const
		return {...none, ...plain, index, at: new Date(start + ms).toISOString(), ...event}
	})
	const lanes = [...new Set(points.map(({lane}) => lane))].map(id => {
		const own = points.filter(({lane}) => lane === id)
		const disposition: Disposition = own.find(point => point.disposition !== 'clean')?.disposition ?? 'clean'
		return {id, label: `${id}.exe`, names: [], events: own.length, disposition, keeps: keeps.includes(id)}
	})
	const base = {guid: 'g', hostname: 'H', query: '', readAt: '', cut: false, oldest: null, unknown: []}
	return {...base, lanes, points}
}

const everything = {hideClean: false, name: ''}
const lanesIn = ({lanes}: Layout) => lanes.map(({lane}) => lane.id)

describe('layout', () => {
	const attack = trajectoryOf(
		[
			{lane: 'system', ms: 0, shape: 'system', disposition: 'none'},
			{lane: 'network', ms: 1, shape: 'network'},
			{lane: 'word', ms: 2},
			{lane: 'evil', ms: 3, disposition: 'malicious', parent: 'word'},
			{lane: 'network', ms: 4, shape: 'network', disposition: 'malicious', text: 'evil connected'},
			{lane: 'calc', ms: 5}
		],
		['word', 'evil']
	)

	test('hiding clean lanes keeps parents of anything bad, and of the network what is bad', () => {
		const layout = layOut(attack, {hideClean: true, name: ''})
		expect(lanesIn(layout)).toEqual(['system', 'network', 'word', 'evil'])
		expect(layout.points.map(({index}) => index)).toEqual([0, 2, 3, 4])
		expect(layout.hiddenLanes).toBe(1)
		expect(layout.span).toEqual(layOut(attack, everything).span)
	})

	test('a name keeps its lanes, and its events in mixed lanes', () => {
		expect(lanesIn(layOut(attack, {hideClean: false, name: ' EVIL'}))).toEqual(['network', 'evil'])
		expect(lanesIn(layOut(attack, {hideClean: false, name: 'nothing'}))).toEqual([])
	})

	test('nanoseconds order what a millisecond holds', () => {
		const [one, other] = trajectoryOf([
			{lane: 'a', ms: 0, nanoseconds: 100},
			{lane: 'a', ms: 0, nanoseconds: 900}
		]).points
		expect(one !== undefined && other !== undefined && timeOf(one) < timeOf(other)).toBe(true)
	})

	test('keys lead from event to event, over lanes, detections, parents and children', () => {
		const layout = layOut(
			trajectoryOf([
				{lane: 'a', ms: 0},
				{lane: 'a', ms: 10},
				{lane: 'b', ms: 11, parent: 'a', shape: 'detect', detectionId: '1'},
				{lane: 'b', ms: 12, shape: 'quarantine', detectionId: '1'},
				{lane: 'c', ms: 20, parent: 'b', shape: 'detect', detectionId: '2'},
				{lane: 'c', ms: 21, parent: 'nobody'}
			]),
			everything
		)
		expect(moveFrom(layout, null, 'next')).toBe(5)
		expect(moveFrom(layout, null, 'nextDetection')).toBe(2)
		expect(moveFrom(layout, 0, 'next')).toBe(1)
		expect(moveFrom(layout, 1, 'next')).toBeNull()
		expect(moveFrom(layout, 0, 'down')).toBe(2)
		expect(moveFrom(layout, 5, 'up')).toBe(3)
		expect(moveFrom(layout, 2, 'nextDetection')).toBe(4)
		expect(moveFrom(layout, 4, 'previousDetection')).toBe(2)
		expect(moveFrom(layout, 2, 'parent')).toBe(1)
		expect(moveFrom(layout, 1, 'child')).toBe(2)
		expect(moveFrom(layout, 5, 'parent')).toBeNull()
	})
})

describe('beads', () => {
	const many = fc.array(fc.integer({min: 0, max: 100_000}), {minLength: 1, maxLength: 400})

	test('hold every event of the span once, in order, and do not touch each other', () => {
		fc.assert(
			fc.property(many, fc.integer({min: 50, max: 2000}), (times, width) => {
				const events = times.toSorted((a, b) => a - b).map(ms => ({lane: 'a', ms}))
				const layout = layOut(trajectoryOf(events), everything)
				const [lane] = layout.lanes
				if (lane === undefined) throw new Error('no lane')
				const beads = beadsOf(lane, layout.span, width)
				const held = beads.flatMap(({first, last}) => Array.from({length: last - first + 1}, (_, at) => first + at))
				expect(held).toEqual(events.map((_event, at) => at))
				for (const [at, bead] of beads.entries()) expect(bead.x - (beads[at - 1]?.x ?? -Infinity)).toBeGreaterThan(10)
			}),
			{numRuns: 60}
		)
	})

	test('show the worst of what they hold', () => {
		const layout = layOut(
			trajectoryOf([
				{lane: 'a', ms: 0},
				{lane: 'a', ms: 1, shape: 'detect'},
				{lane: 'a', ms: 2, disposition: 'malicious'}
			]),
			everything
		)
		const [lane] = layout.lanes
		expect(lane && beadsOf(lane, layout.span, 1).map(({worst}) => worst.index)).toEqual([1])
	})
})

describe('span', () => {
	const whole = {from: 0, to: 1000}

	test('zooming keeps the time under the pointer and never leaves the whole', () => {
		expect(zoomed(whole, whole, 0.5, 0.25)).toEqual({from: 125, to: 625})
		expect(zoomed({from: 0, to: 100}, whole, 100, 0.5)).toEqual(whole)
		expect(panned({from: 800, to: 900}, whole, 5)).toEqual({from: 900, to: 1000})
		expect(within({from: -50, to: 50}, whole)).toEqual({from: 0, to: 100})
		expect(between(300, 200, whole)).toEqual({from: 200, to: 300})
	})

	test('an event that is in view moves nothing, another is brought in', () => {
		const span = {from: 100, to: 200}
		expect(showing(span, whole, 150)).toBe(span)
		expect(showing(span, whole, 500)).toEqual({from: 425, to: 525})
	})

	test('an event opens with the steps of its story near it', () => {
		const minute = 60_000
		const {points} = trajectoryOf([0, 4800, 4830, 4890, 4980].map(at => ({lane: 'a', ms: at * minute})))
		const story = {steps: points.slice(1).map(point => ({point}))} as unknown as AttackStory
		const span = (index: number, long = 9999) => {
			const {from, to} = around(points, story, index, {from: start, to: start + long * minute})
			return [(from - start) / minute, (to - start) / minute]
		}
		expect([1, 2, 3].map(index => span(index))).toEqual([4800, 4800, 4800].map(from => [from - 22.5, 4912.5]))
		expect([span(0), span(4)]).toEqual([
			[0, 10],
			[4975, 4985]
		])
		expect(span(3, 4890)).toEqual([4755, 4890])
	})

	test('ticks have room for their words and whole labels', () => {
		const ticks = ticksOf({from: start, to: start + 3_600_000}, 700, 'utc')
		expect(ticks.map(({label}) => label)).toEqual(['14:00', '14:10', '14:20', '14:30', '14:40', '14:50', '15:00'])
		const fine = ticksOf({from: start, to: start + 40}, 400, 'utc')
		expect(fine.map(({label}) => label)).toEqual(['00.000', '00.010', '00.020', '00.030', '00.040'])
		expect(ticksOf({from: start, to: start + 0.1}, 400, 'utc').length).toBeLessThan(6)
	})

	test('days begin at midnight of the local clock, also after it was changed', () => {
		const {TZ} = process.env
		process.env['TZ'] = 'America/New_York'
		try {
			const days = {from: Date.parse('2026-10-31T00:00:00-04:00'), to: Date.parse('2026-11-03T12:00:00-05:00')}
			expect(ticksOf(days, 420, 'local').map(({time}) => new Date(time).toISOString())).toEqual([
				'2026-10-31T04:00:00.000Z',
				'2026-11-01T04:00:00.000Z',
				'2026-11-02T05:00:00.000Z',
				'2026-11-03T05:00:00.000Z'
			])
			expect(ticksOf(days, 420, 'local').map(({label}) => label)).toEqual(['31 Oct', '1 Nov', '2 Nov', '3 Nov'])
		} finally {
			if (TZ === undefined) delete process.env['TZ']
			else process.env['TZ'] = TZ
		}
	})
})

test('5,000 events are laid out and their beads found within a frame or two', () => {
	const events = Array.from({length: 5000}, (_, at) => ({lane: `lane${at % 60}`, ms: at * 977}))
	const trajectory = trajectoryOf(events)
	const laidOut = computed(() => layOut(trajectory, everything))
	const {lanes, span} = laidOut.result
	const found = computed(() => lanes.map(lane => beadsOf(lane, span, 1400)))
	expect(found.result.flat().reduce((sum, {first, last}) => sum + last - first + 1, 0)).toBe(5000)
	expect(laidOut.ms).toBeLessThan(150)
	expect(found.ms).toBeLessThan(30)
	expect(densityOf(laidOut.result, 240).reduce((sum, {all}) => sum + all, 0)).toBe(5000)
})
