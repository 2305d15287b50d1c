import {createClose, createLeave, type LeaveQuestion} from './leave.ts'

/** Questions are kept until the test answers them. */
function parts(jobs: number, releases = 0) {
	const asked: LeaveQuestion[] = []
	const state = {jobs, quits: 0, answer: (_yes: boolean): void => undefined, fail: (): void => undefined}
	const may = createLeave({
		open: () => ({jobs: state.jobs, releases}),
		ask: question => {
			asked.push(question)
			return new Promise((resolve, reject) => {
				state.answer = resolve
				state.fail = () => reject(new Error('no display'))
			})
		},
		quit: () => void (state.quits += 1)
	})
	return {asked, state, may}
}

const settled = (): Promise<void> => new Promise(setImmediate)

test('without a running job quitting asks nothing', () => {
	const {asked, may} = parts(0)
	expect(may()).toBe(true)
	expect(asked).toEqual([])
})

test('while jobs run quitting asks once, and a yes ends the program', async () => {
	const {asked, state, may} = parts(2)
	expect(may()).toBe(false)
	expect(may()).toBe(false)
	expect(asked).toHaveLength(1)
	expect(asked[0]?.message).toBe('Quit Cordon while 2 jobs are running?')
	state.answer(true)
	await settled()
	expect(state.quits).toBe(1)
	expect(may()).toBe(true)
	expect(asked).toHaveLength(1)
})

test('while automatic releases wait it asks, and says what stays', () => {
	const {asked, may} = parts(0, 2)
	expect(may()).toBe(false)
	expect(asked[0]?.message).toBe('Quit Cordon while 2 automatic releases wait?')
	expect(asked[0]?.detail).toContain('stay isolated')
})

test('a no keeps it running, and the next time it asks again', async () => {
	const {asked, state, may} = parts(1)
	expect(may()).toBe(false)
	state.answer(false)
	await settled()
	expect(state.quits).toBe(0)
	expect(may()).toBe(false)
	expect(asked.map(({message}) => message)).toEqual(['Quit Cordon while 1 job is running?', 'Quit Cordon while 1 job is running?'])
	state.answer(false)
	await settled()
	state.jobs = 0
	expect(may()).toBe(true)
})

test('a signal while it asks is a yes', () => {
	const {asked, may} = parts(1)
	expect([may(true), may(), may(true)]).toEqual([false, false, true])
	expect(asked).toHaveLength(1)
})

test('a question that cannot be shown does not block quitting', async () => {
	const {state, may} = parts(1)
	expect(may()).toBe(false)
	state.fail()
	await settled()
	expect(state.quits).toBe(1)
	expect(may()).toBe(true)
})

describe('closing the window', () => {
	/** What happened, in order. */
	function closing(stays: boolean, tray: boolean, answer: () => Promise<boolean>) {
		const done: string[] = []
		const may = createClose({
			staysInTray: () => stays,
			hasTray: () => Promise.resolve(tray),
			hide: () => void done.push('hidden'),
			mayLeave: () => {
				done.push('leave?')
				return true
			},
			ask: ({message}) => {
				done.push(message)
				return answer()
			},
			quit: () => void done.push('quit')
		})
		return {may, done}
	}
	const question = 'Quit Cordon? This desktop shows no tray icons.'

	test('is leaving where it does not stay in the tray', () => {
		const {may, done} = closing(false, true, () => Promise.resolve(true))
		expect(may()).toBe(true)
		expect(done).toEqual(['leave?'])
	})

	test('hides it where the tray is shown, however often', async () => {
		const {may, done} = closing(true, true, () => Promise.resolve(true))
		expect([may(), may()]).toEqual([false, false])
		await settled()
		expect(done).toEqual(['hidden'])
		expect(may()).toBe(false)
		await settled()
		expect(done).toEqual(['hidden', 'hidden'])
	})

	test.each([
		['keeps it', () => Promise.resolve(false), [question]],
		['ends the program', () => Promise.resolve(true), [question, 'quit']],
		['ends the program where nobody can be asked', () => Promise.reject(new Error('no display')), [question, 'quit']]
	])('without a tray it asks, and the answer %s', async (_what, answer, expected) => {
		const {may, done} = closing(true, false, answer)
		expect(may()).toBe(false)
		await settled()
		expect(done).toEqual(expected)
	})
})
