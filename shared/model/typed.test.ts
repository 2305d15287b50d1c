import {confirmOption, shellValue, typedProblem} from './typed.ts'

const count = {kind: 'count', expected: 1200} as const
const name = {kind: 'name', expected: 'FIN-DC-01'} as const
const named = (expected: string) => ({...name, expected})

test.each([
	[count, '1200', null],
	[count, ' 1,200', null],
	[count, '120', 'This is not 1200.'],
	[count, '', 'Type 1200.'],
	[name, 'fin-dc-01', null],
	[name, 'FIN-DC-02', 'This is not FIN-DC-01.'],
	[{kind: 'reason', hold: true} as const, '', null],
	// Names that endpoints gave themselves, typed as they are read.
	[named('FIN  DC-01 '), 'fin dc-01', null],
	[named('DC\u200b-01'), 'DC‹U+200B›-01', null],
	[named('DC\u200b-01'), 'DC-01', 'This is not DC\u200b-01.'],
	[named('Anns\u00a0Mac'), 'anns mac', null],
	[named('Ju\u0308rgens-Mac'), 'J\u00fcrgens-Mac', null],
	[named('‹U+00A0›'), '', 'Type ‹U+00A0›.']
])('%j typed as %j: %s', (wanted, typed, problem) => {
	expect(typedProblem(wanted, typed)).toBe(problem)
})

test.each([
	['FIN-DC-01', 'FIN-DC-01'],
	['Büro 2', '"Büro 2"'],
	...['$(reboot)', '`reboot`', 'a"; reboot #', 'a & reboot', '%PATH%', '!!', '--all', 'a\nb', ''].map(text => [text, 'NAME'])
])('in a shell %j is written as %s', (value, written) => {
	expect(shellValue(value)).toBe(written)
	expect(confirmOption(value)).toBe(`--confirm ${written}`)
})
