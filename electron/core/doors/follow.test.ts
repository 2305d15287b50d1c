import {until} from '#base/testing/until.ts'
import {follow, newsOf, type FollowDependencies, type RunStand} from './follow.ts'
import type {Visit} from './server.ts'

const stand = (state: string, one: string, endedAt: string | null): RunStand => ({
	...{id: 'r', kind: 'playbook', connection: 'c', title: 'T', state, because: null, startedAt: '2', endedAt},
	...{steps: [{id: 's', name: 'S', state: one}], counts: null}
})

test('of a playbook run: start, steps, end, each once', () => {
	const [begun, going, ended] = [stand('running', 'planned', null), stand('running', 'intent', null), stand('done', 'done', '3')]
	const events = (before: RunStand | undefined, now: RunStand) => newsOf(before, now, '1').map(each => (each as {event: string}).event)
	expect(events(undefined, begun)).toEqual(['started'])
	expect(events(begun, going)).toEqual(['step'])
	expect(events(going, going)).toEqual([])
	expect(events(going, ended)).toEqual(['step', 'ended'])
	expect(events(ended, ended)).toEqual([])
})

test('a run that changes all the time is read now and then, and its last state is told', async () => {
	const stop = new AbortController()
	const {promise, resolve} = Promise.withResolvers<(run?: string) => void>()
	let [reads, now, text, endedAt] = [0, 0, '', null as string | null]
	const stands: FollowDependencies['stands'] = {
		onChange: listener => (resolve((run = 'r') => listener({run, kind: ''})), () => {}),
		of: async ({run}) => (reads++, {...stand('', String(now), endedAt), connection: run === 'r' ? 'c' : run})
	}
	const response = {writeHead() {}, write: (part: string) => ((text += part), true), end() {}}
	const visit = {response, token: {connections: ['c']}, signal: stop.signal, isAdmitted: () => true}
	const live = async function* () {
		yield await new Promise<never>(() => {})
	}
	// What `follow` uses of a visit.
	void follow({clock: Date, live, stands}, visit as unknown as Visit)
	const tell = await promise
	tell('of another connection')
	for (; now < 99; now += 1) {
		tell()
		await new Promise(setImmediate)
	}
	tell()
	await until('the last state', () => text.includes('"99"'))
	expect(reads).toBeLessThan(20)
	expect(text).not.toContain('another')
	endedAt = '3'
	tell()
	await until('the end', () => text.includes('"ended"'))
	const told = text
	const before = reads
	now += 1
	tell()
	await until('another read', () => reads > before)
	await new Promise(setImmediate)
	expect(text).toBe(told)
	endedAt = '4'
	tell()
	await until('its end after a retry', () => text.split('"ended"').length === 3)
	stop.abort()
})
