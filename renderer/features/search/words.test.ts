import {isNothingYet} from './words.ts'

const computer = {guid: '00000001-1111-4222-8333-444444444444', hostname: 'PC-1', active: true, silent: true, group: null, os: '', lastSeen: null}

test('an answer that stopped before its first computer says nothing of who saw it', () => {
	expect(isNothingYet({phase: 'partial', computers: []})).toBe(true)
	expect(isNothingYet({phase: 'partial', computers: [computer]})).toBe(false)
	expect(isNothingYet({phase: 'reading', computers: []})).toBe(false)
	expect(isNothingYet({phase: 'complete', computers: []})).toBe(false)
})
