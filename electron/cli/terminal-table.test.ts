import {recordText, tableText} from './terminal-table.ts'

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

test('one record has a line for each column, and control characters are shown', () => {
	const text = recordText({columns: ['Name', 'State'], rows: [['a\u001b]52;c;x', 'isolated']]}, null)
	expect(text).not.toContain('\u001b')
	expect(text.split('\n').at(-1)).toBe('State  isolated')
})
