import {turnsOf, type StopReason} from './gate.ts'

test('so many are under way, the others wait, and nothing of a stopped job has its turn', async () => {
	let ended: StopReason | null = null
	const turn = turnsOf(2, () => ended)
	const sent = new Map<string, () => void>()
	const send = (name: string) => turn(() => new Promise<void>(resolve => sent.set(name, resolve)))
	const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(send)
	expect([...sent.keys()]).toEqual(['a', 'b'])
	sent.get('b')?.()
	await second
	await expect.poll(() => [...sent.keys()]).toEqual(['a', 'b', 'c'])
	ended = {kind: 'stopped', because: 'Cancelled.'}
	sent.get('a')?.()
	await first
	await expect(fourth).rejects.toMatchObject({code: 'cancelled'})
	sent.get('c')?.()
	await third
	expect(sent.has('d')).toBe(false)
	// A place that was not used is free again.
	ended = null
	void send('e')
	expect(sent.has('e')).toBe(true)
})
