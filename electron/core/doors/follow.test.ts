import {until} from '#base/testing/until.ts'
import {follow, newsOf, type FollowDependencies, type RunStand} from './follow.ts'
import type {Visit} from './server.ts'

const stand = (state: string, one: string, endedAt: string | null): RunStand => ({
	...{id: 'r', kind: 'playbook', connection: 'c', title: 'T', state, because: null, startedAt: '2', endedAt},
	...{steps: [{id: 's', name: 'S', state: one}], counts: null},
})

test('of a playbook run: start, steps, end, each once', () => {
	const [begun, going, ended] = [stand('running', 'planned', null), stand('running', 'intent', null), stand('done', 'done', '3')]
	const events = (before: RunStand | undefined, now: RunStand) =>
		newsOf(before, now, '1').map(each => (each as {event: string}).event)
	expect(events(undefined, begun)).toEqual(['started'])
	expect(events(begun, going)).toEqual(['step'])
	expect(events(going, going)).toEqual([])
	expect(events(going, ended)).toEqual(['step', 'ended'])
	expect(events(ended, ended)).toEqual([])
})

test('a run that changes with each turn is read now and then, and its last state is told', async () => {
	const stop = new AbortController()
	const changed = Promise.withResolvers<Parameters<FollowDependencies['stands']['onChange']>[0]>()
	let [reads, now, text] = [0, 0, '']
	const stands: FollowDependencies['stands'] = {
		onChange: listener => (changed.resolve(listener), () => {}),
		of: async () => (reads++, stand('running', String(now), null)),
	}
	const live = async function* () {
		yield await new Promise<never>(() => {})
	}
	const response = {writeHead() {}, write: (part: string) => ((text += part), true)}
	// What `follow` uses of a visit.
	const visit = {response, token: {connections: ['c']}, signal: stop.signal, isAdmitted: () => true} as unknown as Visit
	void follow({clock: {now: () => 0}, live, stands}, visit)
	const tell = await changed.promise
	for (; now < 100; now += 1) {
		tell({run: 'r', kind: 'playbook'})
		await new Promise(setImmediate)
	}
	tell({run: 'r', kind: 'playbook'})
	await until('the last state', () => text.includes('"state":"100"'))
	expect(reads).toBeLessThan(20)
	stop.abort()
})
