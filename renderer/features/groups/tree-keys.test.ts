import {groupsOf} from './testing/groups.ts'
import {keyInTree, lineBeginning} from './use-tree-acts.ts'
import {linesOf} from './tree-model.ts'

const groups = groupsOf('Corporate', 'Finance > Corporate', 'Legal > Corporate', 'Hospital')
const lines = linesOf(groups, new Map(), '')
const closed = linesOf(groups, new Map([['corporate', false]]), '')
const press = (key: string, at: number, more: {shift?: boolean; letters?: boolean; lines?: typeof lines} = {}) =>
	keyInTree(
		{key, shift: more.shift ?? false, control: false, alt: false},
		{lines: more.lines ?? lines, at, page: 3, letters: more.letters ?? true}
	)

test('the right arrow opens, and then leads to the first below', () => {
	expect(press('ArrowRight', 0, {lines: closed})).toEqual({kind: 'open', guid: 'corporate', open: true})
	expect(press('ArrowRight', 0)).toEqual({kind: 'move', to: 1})
	expect(press('ArrowRight', 1)).toBeNull()
})

test('the left arrow closes, and then leads to the parent', () => {
	expect(press('ArrowLeft', 0)).toEqual({kind: 'open', guid: 'corporate', open: false})
	expect(press('ArrowLeft', 2)).toEqual({kind: 'move', to: 0})
	expect(press('ArrowLeft', 3)).toBeNull()
})

test('with Shift all below opens and closes', () => {
	expect(press('ArrowRight', 0, {shift: true})).toEqual({kind: 'openBelow', guid: 'corporate', open: true})
	expect(press('ArrowLeft', 0, {shift: true})).toEqual({kind: 'openBelow', guid: 'corporate', open: false})
})

test('the cursor stays within the tree', () => {
	expect(press('ArrowUp', 0)).toEqual({kind: 'move', to: 0})
	expect(press('PageDown', 2)).toEqual({kind: 'move', to: 3})
	expect(press('End', 0)).toEqual({kind: 'move', to: 3})
	expect(press('ArrowDown', -1)).toEqual({kind: 'move', to: 0})
})

test('x selects the line, Shift and the arrows select on their way, Ctrl+A all', () => {
	expect(press('x', 1)).toEqual({kind: 'toggle'})
	expect(press('x', -1)).toBeNull()
	expect(press('x', 1, {letters: false})).toEqual({kind: 'jump', text: 'x'})
	expect(press('ArrowDown', 1, {shift: true})).toEqual({kind: 'extend', to: 2})
	expect(press('ArrowUp', 0, {shift: true})).toEqual({kind: 'extend', to: 0})
	expect(press('End', 0, {shift: true})).toBeNull()
	expect(keyInTree({key: 'a', shift: false, control: true, alt: false}, {lines, at: 0, page: 3, letters: true})).toEqual({kind: 'all'})
})

test('Enter leads to the members and Space looks, but only from a line', () => {
	expect(press('Enter', 1)).toEqual({kind: 'members'})
	expect(press(' ', 1)).toEqual({kind: 'peek'})
	expect(press('Enter', -1)).toBeNull()
	expect(press('Enter', 1, {shift: true})).toBeNull()
})

test('a name is jumped to after f, or at once where letters are no keys', () => {
	expect(press('f', 0)).toEqual({kind: 'jump', text: ''})
	expect(press('h', 0)).toBeNull()
	expect(press('h', 0, {letters: false})).toEqual({kind: 'jump', text: 'h'})
	expect(lineBeginning(lines, 'LE', 0)).toBe(2)
	expect(lineBeginning(lines, 'c', 1)).toBe(0)
	expect(lineBeginning(lines, 'x', 0)).toBe(-1)
})
