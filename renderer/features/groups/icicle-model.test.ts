import {bricksOf} from './GroupIcicle.tsx'
import {groupsOf} from './testing/groups.ts'

const counts: Readonly<Record<string, number>> = {hospital: 80, wards: 60, ward1: 40, offices: 20, empty: 0, tiny: 1}

const groups = groupsOf('Offices', 'Hospital', 'Wards > Hospital', 'Ward1 > Wards', 'Empty > Hospital').map(group => ({
	...group,
	below: {computers: counts[group.guid] ?? 0, compromised: group.guid === 'ward1' ? 3 : 0, isolated: 0}
}))

test('a group is as wide as its computers, children under their parent, the largest first', () => {
	expect(bricksOf(groups).bricks).toEqual([
		{key: 'hospital', name: 'Hospital', value: 80, marked: 0, level: 0, from: 0, to: 0.8},
		{key: 'offices', name: 'Offices', value: 20, marked: 0, level: 0, from: 0.8, to: 1},
		{key: 'wards', name: 'Wards', value: 60, marked: 0, level: 1, from: 0, to: expect.closeTo(0.6)},
		{key: 'ward1', name: 'Ward1', value: 40, marked: 3, level: 2, from: 0, to: expect.closeTo(0.4)}
	])
})

test('a part has the whole width, and a part that is gone shows all', () => {
	expect(bricksOf(groups, 'wards').bricks.map(({key, from, to}) => [key, from, Math.round(to * 100)])).toEqual([
		['wards', 0, 100],
		['ward1', 0, 67]
	])
	expect(bricksOf(groups, 'gone').bricks).toHaveLength(4)
})

test('what is narrower than a pixel is counted and not drawn', () => {
	const [big, tiny] = groupsOf('Big', 'Tiny')
	if (big === undefined || tiny === undefined) throw new Error('Two groups were asked for.')
	const of = (computers: number) => ({computers, compromised: 0, isolated: 0})
	const {bricks, left} = bricksOf([
		{...big, below: of(100_000)},
		{...tiny, below: of(1)}
	])
	expect(bricks.map(({key}) => key)).toEqual(['big'])
	expect(left).toBe(1)
})
