import {waitBetweenWaves, type JobAction} from './job.ts'

const isolate = {kind: 'isolate', reason: 'Beaconing'} as JobAction
const release = {kind: 'release', reason: 'Clean'} as JobAction

test.each([
	[isolate, [], 0],
	[isolate, [1], 0],
	[isolate, [1, 5], 90],
	[isolate, [1, 5, 294], 180],
	[release, [300], 0],
	[{kind: 'move', group: 'g', reason: 'tidy'} as JobAction, [1, 5, 6], 0]
] as const)('waits between waves for agents alone: %j in waves of %j', (action, waves, seconds) => {
	expect(waitBetweenWaves({action, waves})).toBe(seconds)
})
