import {fileOf} from './table-export.ts'

const table = {
	name: 'groups',
	columns: ['Name', 'Computers'],
	rows: [['=HYPERLINK("x")', '3']],
	records: [{name: '=HYPERLINK("x")', computers: 3}]
}
const at = new Date('2026-01-31T14:02:11.000Z')

test('a spreadsheet gets no formula', () => {
	const {name, text} = fileOf(table, 'csv', at)
	expect(name).toBe('groups-2026-01-31T140211.csv')
	expect(text).toBe('Name,Computers\r\n"\'=HYPERLINK(""x"")",3\r\n')
})

test('JSON holds the records as they are', () => {
	const {name, text} = fileOf(table, 'json', at)
	expect(name).toMatch(/\.json$/)
	expect(JSON.parse(text)).toEqual(table.records)
})
