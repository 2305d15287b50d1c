import {clearAfterMs, copySecret, type ClipboardHost} from './secret-clipboard.ts'

function board(change: Partial<ClipboardHost> = {}) {
	let text = ''
	let focused = true
	const timers: {ms: number; act: () => void}[] = []
	const focusing: (() => void)[] = []
	const host: ClipboardHost = {
		board: {readText: async () => text, writeText: async next => void (text = next)},
		mayLook: async () => true,
		later: (ms, act) => void timers.push({ms, act}),
		onFocus: act => void focusing.push(act),
		hasFocus: () => focused,
		...change
	}
	const pass = async () => {
		for (const {act} of timers.splice(0)) act()
		await new Promise(setImmediate)
	}
	const focus = async (has: boolean) => {
		focused = has
		if (has) for (const act of focusing.splice(0)) act()
		await new Promise(setImmediate)
	}
	return {host, pass, focus, timers, text: () => text, put: (next: string) => (text = next)}
}

test('a copied code is cleared from the clipboard after half a minute', async () => {
	const {host, pass, text, timers} = board()
	expect(await copySecret(host, 'CANARY7')).toBe('will_clear')
	expect([text(), timers[0]?.ms]).toEqual(['CANARY7', clearAfterMs])
	await pass()
	expect(text()).toBe('')
})

test('later clipboard content stays', async () => {
	const {host, pass, text, put} = board()
	await copySecret(host, 'CANARY7')
	put('something else')
	await pass()
	expect(text()).toBe('something else')
})

test('a window without the focus waits until it has it again', async () => {
	const {host, pass, focus, text} = board()
	await copySecret(host, 'CANARY7')
	await focus(false)
	await pass()
	expect(text()).toBe('CANARY7')
	await focus(true)
	expect(text()).toBe('')
})

test('without clipboard access nothing is promised, and nothing is cleared', async () => {
	const {host, pass, text, timers} = board({mayLook: async () => false})
	expect(await copySecret(host, 'CANARY7')).toBe('cannot_clear')
	await pass()
	expect([text(), timers]).toEqual(['CANARY7', []])
})

test('a refused copy is reported', async () => {
	const refusing = {readText: async () => '', writeText: () => Promise.reject(new Error('no'))}
	expect(await copySecret(board({board: refusing}).host, 'CANARY7')).toBe('failed')
})
