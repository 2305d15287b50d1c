import {followsNewest, heldNext} from './IncidentLogScreen.tsx'

const idle = {isScrolled: false, cursor: -1, isOpen: false}
const conditions = {}

test('new entries come in unless the reader has scrolled down', () => {
	expect(followsNewest(idle)).toBe(true)
	expect(followsNewest({...idle, cursor: 0})).toBe(true)
})

test('rows stay in place while the reader has scrolled, is at a row or has one open', () => {
	expect(followsNewest({...idle, isScrolled: true})).toBe(false)
	expect(followsNewest({...idle, cursor: 3})).toBe(false)
	expect(followsNewest({...idle, isOpen: true})).toBe(false)
})

test('the reading position is kept once, and dropped at the top', () => {
	const held = heldNext(null, conditions, false, 40)
	expect(held).toEqual({conditions, upTo: 40})
	expect(heldNext(held, conditions, false, 43)).toBe(held)
	expect(heldNext(held, conditions, true, 43)).toBeNull()
})

test('with other conditions it is taken anew, once their rows are there', () => {
	const held = {conditions, upTo: 40}
	const others = {}
	expect(heldNext(held, others, false)).toBeNull()
	expect(heldNext(held, others, false, 90)).toEqual({conditions: others, upTo: 90})
})
