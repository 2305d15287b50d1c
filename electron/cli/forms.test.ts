import {progressText} from './run-command.ts'
import {recordText, tableText} from './terminal-table.ts'

const table = {
	columns: ['Name', 'Group'],
	rows: [
		['FIN-WS-0001', 'Finance'],
		['A', 'A group with a very long name that no terminal wants']
	]
}

describe('a table on a terminal', () => {
	it('is as wide as necessary, but no wider than the terminal', () => {
		const wide = tableText(table, null).split('\n')
		expect(wide[1]).toBe('FIN-WS-0001  Finance')
		const narrow = tableText(table, 30).split('\n')
		for (const line of narrow) expect(line.length).toBeLessThanOrEqual(30)
		expect(narrow[2]).toContain('…')
		expect(narrow[1]).toContain('FIN-WS-0001')
	})

	it('lines up characters two columns wide', () => {
		const [, row] = tableText(
			{
				columns: ['a', 'b'],
				rows: [
					['財務', 'x'],
					['abcd', 'y']
				]
			},
			null
		).split('\n')
		expect(row).toBe('財務  x')
	})

	it('shows one record line by line', () => {
		expect(recordText({columns: ['Status', 'By'], rows: [['isolated', 'me']]}, 80)).toBe('Status  isolated\nBy      me')
	})
})

describe('progress', () => {
	it('is a sentence for each kind', () => {
		expect(progressText({kind: 'pages', read: 3, total: 40, records: 1500})).toBe('1500 records read, 3 of 40 pages')
		expect(progressText({kind: 'retrying', attempt: 1, of: 4, inMs: 1200, because: 'Reset.'})).toBe('Reset. Trying again in 2 s (1 of 4).')
		expect(progressText({kind: 'polling', state: 'pending_start', until: '2026-01-01T00:00:00Z'})).toContain('pending_start')
		expect(progressText({kind: 'waiting_for_quota', until: 'soon'})).toContain('until soon')
	})
})
