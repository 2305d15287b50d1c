import {revealCutWords} from './cut-words.ts'

/** The used part of an element; `wide` is the width of its text in a box of 100 px. */
class Box {
	title = ''
	clientWidth = 100
	scrollWidth: number
	innerText: string
	parentElement: Box | null
	overflow: string
	private inner: Box[] = []

	constructor(innerText: string, given: {wide?: number; in?: Box; overflow?: string} = {}) {
		this.innerText = innerText
		this.scrollWidth = given.wide ?? 80
		this.parentElement = given.in ?? null
		this.overflow = given.overflow ?? 'visible'
		this.parentElement?.inner.push(this)
	}

	contains(other: Box): boolean {
		return other === this || this.inner.some(one => one.contains(other))
	}

	querySelector(): Box | null {
		return this.inner.find(one => one.title !== '' || one.querySelector() !== null) ?? null
	}

	removeAttribute(): void {
		this.title = ''
	}
}

const cell = (words: string, wide: number) => new Box(words, {wide, overflow: 'hidden'})
let over: (target: Box) => void
let stop: () => void

beforeEach(() => {
	vi.useFakeTimers()
	vi.stubGlobal('HTMLElement', Box)
	vi.stubGlobal('Node', Box)
	vi.stubGlobal('getComputedStyle', ({overflow}: Box) => ({overflowX: overflow, textOverflow: 'ellipsis'}))
	let listener: (event: unknown) => void = () => {}
	const root = {
		addEventListener: (_type: string, given: (event: unknown) => void) => (listener = given),
		removeEventListener: () => (listener = () => {})
	}
	stop = revealCutWords(root as unknown as Document) // only these two are called
	over = target => listener({target})
})

afterEach(() => {
	stop()
	vi.useRealTimers()
	vi.unstubAllGlobals()
})

test('truncated text has its whole text as title while the pointer rests on it', () => {
	const cut = cell('Known bad files\n720 hashes', 300)
	const words = new Box('Known bad files', {in: cut})
	over(words)
	expect(cut.title).toBe('')
	vi.advanceTimersByTime(200)
	expect(cut.title).toBe('Known bad files · 720 hashes')
	over(cut)
	expect(cut.title).not.toBe('')
	over(cell('Elsewhere', 50))
	expect(cut.title).toBe('')
})

test('complete text, and an element with a title or one inside, is unchanged', () => {
	const whole = cell('Short', 90)
	const titled = cell('Last seen', 300)
	titled.title = '2026-11-22 19:00'
	const holding = cell('A name', 300)
	const name = new Box('A name', {in: holding})
	name.title = 'A name of its own'
	for (const one of [whole, titled, holding, name]) {
		over(one)
		vi.advanceTimersByTime(200)
	}
	expect([whole, titled, holding, name].map(({title}) => title)).toEqual(['', '2026-11-22 19:00', '', 'A name of its own'])
})

test('a pointer that only passes changes nothing, and nothing is looked at after the end', () => {
	const cut = cell('A long name', 300)
	over(cut)
	vi.advanceTimersByTime(50)
	over(cell('Elsewhere', 50))
	vi.advanceTimersByTime(500)
	expect(cut.title).toBe('')
	over(cut)
	stop()
	vi.advanceTimersByTime(500)
	expect(cut.title).toBe('')
})
