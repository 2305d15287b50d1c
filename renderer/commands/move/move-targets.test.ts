import type {GroupNode} from '#contract/directory.ts'

import {moveWords, pathsOf, targetsOf, whyNot} from './move-targets.ts'

function group(guid: string, parent: string | null, name: string, vanishedAt: string | null = null): GroupNode {
	const counts = {computers: 1, compromised: 0, isolated: 0}
	return {
		...{guid, name, parent, vanishedAt, ...counts, below: counts, description: '', source: null, children: []},
		...{policies: null, problem: null, readAt: ''}
	}
}

const groups = [group('a', null, 'Hospital'), group('b', 'a', 'Wards'), group('c', 'b', 'Carts'), group('d', 'a', 'Gone', 'now')]
const paths = pathsOf(groups)

test('a target is found by any part of its path, and a deleted one is not offered', () => {
	expect(targetsOf(groups, paths, 'hospital ▸ w').map(({value}) => value)).toEqual(['b', 'c'])
	expect(targetsOf(groups, paths, '')).toHaveLength(3)
	expect(targetsOf(groups, paths, 'gone')).toEqual([])
	expect(targetsOf(groups, paths, 'carts')[0]).toMatchObject({label: 'Hospital ▸ Wards ▸ Carts', detail: '1 computer'})
})

test('a computer cannot move to no group, a deleted group, or its present group', () => {
	expect(whyNot(undefined, 'a')).toContain('Choose')
	expect(whyNot(groups[3], 'a')).toContain('gone')
	expect(whyNot(groups[1], 'b')).toContain('already')
	expect(whyNot(groups[1], 'a')).toBeNull()
})

test('the button says which computer goes where', () => {
	expect(moveWords('FIN-1', undefined)).toBe('Move FIN-1')
	expect(moveWords('FIN-1', groups[1])).toBe('Move FIN-1 to Wards')
})
