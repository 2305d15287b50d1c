import {hasUnseen, showUnseen, showUnseenInJson, showUnseenInLines} from './foreign.ts'

const deceiving = 'evil\u202egnp.exe'

describe('what cannot be seen is shown by its number', () => {
	test.each([
		['a right-to-left override', deceiving, 'evil‹U+202E›gnp.exe'],
		['isolates and marks', '\u2067a\u2069\u200e\u061c', '‹U+2067›a‹U+2069›‹U+200E›‹U+061C›'],
		['joiners and blanks of no width', 'sv\u200bch\u200dost\ufeff', 'sv‹U+200B›ch‹U+200D›ost‹U+FEFF›'],
		['fillers, soft hyphens and selectors', '\u3164\u00ad\u115f\ufe0f', '‹U+3164›‹U+00AD›‹U+115F›‹U+FE0F›'],
		['blanks that are no plain blank', 'a\u00a0b\u3000c\u2800', 'a‹U+00A0›b‹U+3000›c‹U+2800›'],
		['tags beyond the first plane', 'a\u{e0041}', 'a‹U+E0041›'],
		['controls and line breaks', 'a\u0000\u001b[31m\nb\u0085', 'a‹U+0000›‹U+001B›[31m‹U+000A›b‹U+0085›'],
		['half a pair', 'a\ud83d', 'a‹U+D83D›']
	])('%s', (_what, text, shown) => {
		expect(hasUnseen(text)).toBe(true)
		expect(showUnseen(text)).toBe(shown)
		expect(hasUnseen(showUnseen(text))).toBe(false)
	})

	test.each(['', 'FIN-LT-0231', 'Zürich – Büro', 'שלום', 'コンピュータ', '🏥 ward', 'a b'])('%j stays', text => {
		expect(hasUnseen(text)).toBe(false)
		expect(showUnseen(text)).toBe(text)
	})
})

test('a text of several lines keeps its lines', () => {
	expect(showUnseenInLines(`one\r\n\ttwo ${deceiving}\n`)).toBe('one\n\ttwo evil‹U+202E›gnp.exe\n')
})

test('JSON keeps its values and its lines', () => {
	const value = {name: deceiving, tag: '\u{e0041}', [deceiving]: ['a\u00a0b', 'שלום']}
	const json = JSON.stringify(value, null, 2)
	const shown = showUnseenInJson(json)
	expect(hasUnseen(shown.replaceAll('\n', ' '))).toBe(false)
	expect(shown).toContain(String.raw`"evil\u202egnp.exe"`)
	expect(shown.split('\n')).toHaveLength(json.split('\n').length)
	expect(JSON.parse(shown)).toEqual(value)
})
