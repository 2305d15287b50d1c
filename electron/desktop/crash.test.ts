import {EventEmitter} from 'node:events'

import type {BrowserWindow} from 'electron'

import {keepPage, type PageAnswer, type PageQuestion} from './crash.ts'

/** A window that records calls, and a person who answers when the test says so. */
function page() {
	const done: string[] = []
	const asked: {question: PageQuestion; signal: AbortSignal; answer: (answer: PageAnswer) => void}[] = []
	const state = {now: 0, leaving: false}
	const contents = Object.assign(new EventEmitter(), {
		reload: () => void done.push('reload'),
		forcefullyCrashRenderer: () => void done.push('crash')
	})
	const window = Object.assign(new EventEmitter(), {webContents: contents, isDestroyed: () => false, destroy: () => void done.push('destroy')})
	// What is used of a window, and nothing else.
	keepPage(window as unknown as BrowserWindow, {
		log: {error: () => {}},
		now: () => state.now,
		ask: (question, signal) => new Promise(answer => void asked.push({question, signal, answer})),
		isLeaving: () => state.leaving,
		quit: () => void done.push('quit')
	})
	const end = (reason = 'killed') => contents.emit('render-process-gone', {}, {reason, exitCode: 9})
	return {window, done, asked, state, end}
}

const settled = () => new Promise(setImmediate)

test('a crashed page is reloaded, and one that keeps crashing only on request', async () => {
	const {done, asked, end} = page()
	for (let times = 0; times < 4; times += 1) end()
	expect(done).toEqual(['reload', 'reload', 'reload'])
	expect(asked.map(({question}) => question.message)).toEqual(['The page of Cordon keeps ending.'])
	asked[0]?.answer('reload')
	await settled()
	expect(done).toHaveLength(4)
	// From here it counts anew.
	end()
	expect(done).toHaveLength(5)
	expect(asked).toHaveLength(1)
})

test('ends that lie apart are no reason to ask', () => {
	const {done, asked, state, end} = page()
	for (let times = 0; times < 6; times += 1) {
		end()
		state.now += 600_000
	}
	expect([done.length, asked.length]).toEqual([6, 0])
})

test('a page that ends as it should, or while the program ends, stays away', () => {
	const {done, state, end} = page()
	end('clean-exit')
	state.leaving = true
	end()
	expect(done).toEqual([])
})

test('a hanging page asks once, and reloading ends it first', async () => {
	const {window, done, asked, end} = page()
	window.emit('unresponsive')
	window.emit('unresponsive')
	expect(asked.map(({question}) => question.answers)).toEqual([['wait', 'reload', 'quit']])
	asked[0]?.answer('reload')
	await settled()
	expect(done).toEqual(['crash'])
	end('killed')
	expect(done).toEqual(['crash', 'reload'])
})

test.each([
	['wait', []],
	['quit', ['quit']]
] as const)('of a page that hangs the answer may be %s', async (answer, expected) => {
	const {window, done, asked} = page()
	window.emit('unresponsive')
	asked[0]?.answer(answer)
	await settled()
	expect(done).toEqual(expected)
	// It hangs still.
	window.emit('unresponsive')
	expect(asked).toHaveLength(2)
})

test('the question goes when the page answers again or ends, and what is answered then counts no more', async () => {
	const {window, done, asked, end} = page()
	window.emit('unresponsive')
	window.emit('responsive')
	expect(asked[0]?.signal.aborted).toBe(true)
	asked[0]?.answer('reload')
	await settled()
	expect(done).toEqual([])
	window.emit('unresponsive')
	end()
	expect(asked[1]?.signal.aborted).toBe(true)
	expect(done).toEqual(['reload'])
})

test('a hanging page does not block quitting', () => {
	const {window, done, asked, state} = page()
	state.leaving = true
	window.emit('unresponsive')
	expect(done).toEqual(['destroy'])
	expect(asked).toEqual([])
})
