import {breaths, ownTurn} from './breaths.ts'

function spin(ms: number) {
	for (const until = performance.now() + ms; performance.now() < until;);
}

test('long work lets timers and input through, short work does not wait', async () => {
	const breath = breaths(5)
	let others = 0
	const counting = setInterval(() => (others += 1), 1)
	for (let piece = 0; piece < 20; piece += 1) {
		spin(2)
		await breath()
	}
	clearInterval(counting)
	expect(others).toBeGreaterThan(2)
	const quick = breaths(1000)
	let isOther = false
	setImmediate(() => (isOther = true))
	for (let piece = 0; piece < 1000; piece += 1) await quick()
	expect(isOther).toBe(false)
})

test('pieces that ask at once run in turns of their own', async () => {
	let turn = 0
	let isOver = false
	const count = () => {
		turn += 1
		if (!isOver) setImmediate(count)
	}
	setImmediate(count)
	const turns = await Promise.all(Array.from({length: 4}, async () => (await ownTurn(), turn)))
	isOver = true
	expect(new Set(turns).size).toBe(4)
})
