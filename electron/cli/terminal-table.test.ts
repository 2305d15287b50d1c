import {createOutput} from './output.ts'
import {cut, recordText, tableText} from './terminal-table.ts'
import {makeHost} from './testing/run.ts'

test('a table with more rows than a call can have arguments keeps them all', () => {
	const rows = Array.from({length: 200_000}, (_, index) => [`H${index}`])
	const lines = tableText({columns: ['Name'], rows}, null).split('\n')
	expect(lines).toHaveLength(200_001)
	expect(lines.at(-1)).toBe('H199999')
})

test('the widest columns give way first, and what is cut says so', () => {
	const table = {columns: ['Name', 'Comment'], rows: [['FIN-LT-0231', 'a'.repeat(40)]]}
	expect(tableText(table, 30).split('\n').at(-1)).toBe(`FIN-LT-0231  ${'a'.repeat(16)}…`)
})

test('a terminal that is too narrow for all columns shows each row as a record', () => {
	const table = {
		columns: ['Name', 'State', 'Group', 'Policy', 'OS', 'IP'],
		rows: [
			['A', 'b', 'c', 'd', 'e', 'f'],
			['B', '', '', '', '', '']
		]
	}
	expect(tableText(table, 34).split('\n')).toHaveLength(3)
	expect(tableText(table, 33)).toMatch(/^Name +A\nState +b\nGroup[^]*\n\nName +B\n/)
	const long = {columns: ['Time', 'What', 'By'], rows: [['a', 'b', 'c'].map(sign => sign.repeat(20))]}
	expect(tableText(long, 30)).toMatch(/^Time +a+\nWhat/)
})

test('one record has a line for each column, and control characters are shown', () => {
	const text = recordText({columns: ['Name', 'State'], rows: [['a\u001b]52;c;x', 'isolated']]}, null)
	expect(text).not.toContain('\u001b')
	expect(text.split('\n').at(-1)).toBe('State  isolated')
})

test('emoji and flags take two columns, narrow pictures one, and none is halved', () => {
	const rows = ['✅', '🇩🇪', '👋🏽', '🖥'].map(name => [name, 'x'])
	expect(
		tableText({columns: ['Name', 'B'], rows}, null)
			.split('\n')
			.slice(1)
	).toEqual(['✅    x', '🇩🇪    x', '👋🏽    x', '🖥     x'])
	expect(cut('ab🇩🇪🇩🇪', 5)).toBe('ab🇩🇪…')
})

test('progress fits the terminal, and leaves alone one that cannot overwrite a line', () => {
	for (const [TERM, expected] of [
		['xterm', '\r\u001b[2Kabc…'],
		['dumb', '']
	] as const) {
		const {host, err} = makeHost({environment: {TERM}})
		Object.assign(host.stderr, {isTTY: true, columns: 6})
		createOutput(host, 'text').status('abc😀def')
		expect(err()).toBe(expected)
	}
})
