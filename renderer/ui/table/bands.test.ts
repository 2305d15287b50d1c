import {bandsOf, checkWidth, headHeight, pinsOf} from './bands.ts'

const plain = {isPinned: true}
const columns = [plain, plain, {band: 'blocking'}, {band: 'blocking'}, {band: 'allowed'}]

test('neighbours of one kind share a band, and other columns have none', () => {
	expect(bandsOf(columns)).toEqual([
		{title: '', from: 0, span: 2},
		{title: 'blocking', from: 2, span: 2},
		{title: 'allowed', from: 4, span: 1}
	])
	expect(bandsOf([plain])).toBeNull()
})

test('a header with bands is higher than a row', () => {
	expect(headHeight([plain], 28)).toBe(28)
	expect(headHeight(columns, 28)).toBe(64)
})

test('pinned columns stay one behind the other, after the check boxes', () => {
	expect(pinsOf(columns, [180, 80, 96, 96, 96], true)).toEqual([checkWidth, checkWidth + 180, checkWidth + 260])
	expect(pinsOf(columns, [180, 80, 96, 96, 96], false)).toEqual([0, 180, 260])
	expect(pinsOf([{band: 'blocking'}], [96], true)).toEqual([])
})
