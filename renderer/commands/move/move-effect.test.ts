import type {GroupNode, PolicyRow} from '#contract/directory.ts'

import {moveEffect} from './move-effect.ts'

const list = (name: string) => ({guid: name, name, type: 'simple_custom_detections'})
const row = (guid: string, fileLists: PolicyRow['fileLists']) =>
	({guid, name: guid.toUpperCase(), product: 'windows', fileLists, exclusionSets: []}) as unknown as PolicyRow
const groupWith = (policies: GroupNode['policies']) => ({guid: 'g', name: 'Wards', policies}) as unknown as GroupNode
const use = (guid: string) => ({guid, name: guid.toUpperCase(), product: 'windows', inherited: false})
const now = {guid: 'a', name: 'A'}
const policies = (...rows: PolicyRow[]) => new Map(rows.map(each => [each.guid, each]))

test('lists that only one of the policies has are gained or lost', () => {
	const known = policies(row('a', [list('x'), list('y')]), row('b', [list('y'), list('z')]))
	const effect = moveEffect(now, groupWith([use('b')]), known)
	expect(effect.after).toEqual({guid: 'b', name: 'B'})
	expect(effect.lists?.gained.map(({name}) => name)).toEqual(['z'])
	expect(effect.lists?.lost.map(({name}) => name)).toEqual(['x'])
	expect(effect.missing).toBeNull()
})

test('the same policy changes nothing, and needs no reading', () => {
	const effect = moveEffect(now, groupWith([use('a')]), policies(row('a', null)))
	expect(effect.lists).toEqual({gained: [], lost: []})
	expect(effect.missing).toBeNull()
})

test('what is not read is named with what has to be read, the group before the policies', () => {
	const known = policies(row('a', []), row('b', null))
	expect(moveEffect(now, groupWith(null), known).missing).toEqual({kind: 'group', guid: 'g', name: 'Wards'})
	expect(moveEffect(now, groupWith([use('b')]), known).missing).toEqual({kind: 'policy', guid: 'b', name: 'B'})
	expect(moveEffect(now, groupWith([use('b')]), known).lists).toBeNull()
})

test('an unknown effect is marked as unknown', () => {
	expect(moveEffect({guid: '', name: ''}, groupWith([use('b')]), policies()).problem).toMatch(/not known/)
	expect(moveEffect(now, groupWith([]), policies(row('a', []))).problem).toBe('The group has no policy for windows.')
})
