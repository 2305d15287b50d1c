import {rereadPrice} from './LocalDataParts.tsx'

test('reloading local data shows its cost in calls', () => {
	expect(rereadPrice({kind: 'computers', records: 2000})).toBe('reload: about 4 calls')
	expect(rereadPrice({kind: 'events', records: 1})).toBe('reload: about 1 call')
	expect(rereadPrice({kind: 'directory', records: null})).toContain('1 call each')
	expect(rereadPrice({kind: 'trajectories', records: null})).toContain('1 call each')
	expect(rereadPrice({kind: 'audit', records: null})).toBe('reload: 1 call for 500')
})
