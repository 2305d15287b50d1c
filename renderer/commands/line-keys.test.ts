import {actOfKey} from './use-line-editor.ts'

const plain = {ctrl: false, shift: false, other: false}
const shut = {isOpen: false, picked: -1, count: 0, hasText: true, hasGhost: false}
const open = {isOpen: true, picked: -1, count: 3, hasText: true, hasGhost: false}

test('Enter runs the line unless a completion is picked', () => {
	expect(actOfKey({...plain, key: 'Enter'}, open)).toEqual({kind: 'run'})
	expect(actOfKey({...plain, key: 'Enter'}, {...open, picked: 2})).toEqual({kind: 'take', index: 2})
})

test('Tab takes the first completion, and leaves the line when there is none', () => {
	expect(actOfKey({...plain, key: 'Tab'}, open)).toEqual({kind: 'take', index: 0})
	expect(actOfKey({...plain, key: 'Tab'}, shut)).toBeNull()
	expect(actOfKey({...plain, key: 'Tab', shift: true}, open)).toBeNull()
})

test('arrows pick in an open list and walk the history otherwise', () => {
	expect(actOfKey({...plain, key: 'ArrowDown'}, {...open, picked: 2})).toEqual({kind: 'pick', index: 0})
	expect(actOfKey({...plain, key: 'ArrowUp'}, shut)).toEqual({kind: 'walk', by: 1})
	expect(actOfKey({...plain, key: 'ArrowUp'}, open)).toEqual({kind: 'walk', by: 1})
})

test('Escape shuts the list first and the command line second', () => {
	expect(actOfKey({...plain, key: 'Escape'}, open)).toEqual({kind: 'shut'})
	expect(actOfKey({...plain, key: 'Escape'}, shut)).toEqual({kind: 'close'})
})

test('Ctrl R searches earlier lines, other combinations stay the browser’s', () => {
	expect(actOfKey({...plain, ctrl: true, key: 'r'}, shut)).toEqual({kind: 'search'})
	expect(actOfKey({...plain, ctrl: true, key: 'c'}, open)).toBeNull()
	expect(actOfKey({...plain, other: true, key: 'Enter'}, open)).toBeNull()
})

test('Ctrl+Enter runs the line, also where a completion is picked', () => {
	const run = {...plain, ctrl: true, key: 'Enter'}
	expect(actOfKey(run, {...open, picked: 1})).toEqual({kind: 'run'})
})

test('the right arrow completes the line with an earlier one', () => {
	expect(actOfKey({...plain, key: 'ArrowRight'}, {...shut, hasGhost: true})).toEqual({kind: 'ghost'})
	expect(actOfKey({...plain, key: 'End'}, {...open, hasGhost: true})).toEqual({kind: 'ghost'})
	expect(actOfKey({...plain, key: 'ArrowRight'}, shut)).toBeNull()
	expect(actOfKey({...plain, key: 'ArrowRight', shift: true}, {...shut, hasGhost: true})).toBeNull()
})
