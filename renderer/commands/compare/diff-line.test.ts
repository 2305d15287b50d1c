import {summaryOf, verdictOf} from './diff-line.ts'

const line = (a: string | null, b: string | null) => ({title: 'Policy', a, b})

test('what is not known on one side is neither the same nor different', () => {
	expect(verdictOf(line('Protect', 'Protect'))).toBe('same')
	expect(verdictOf(line('Protect', ''))).toBe('differs')
	expect(verdictOf(line(null, 'Protect'))).toBe('unknown')
	expect(verdictOf(line(null, null))).toBe('unknown')
})

test('the summary counts what is known, and says what is not', () => {
	expect(summaryOf([line('1', '1'), line('2', '2')])).toBe('Nothing differs')
	expect(summaryOf([line('1', '2'), line('2', '2')])).toBe('1 of 2 lines differs')
	expect(summaryOf([line('1', '2'), line('2', '3'), line(null, '')])).toBe('2 of 2 lines differ; 1 cannot be told yet')
	expect(summaryOf([line('1', '1'), line(null, '')])).toBe('Nothing of what is known differs; 1 cannot be told yet')
})
