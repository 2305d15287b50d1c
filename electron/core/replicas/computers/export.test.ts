import type {ExportQuery} from './export.ts'
import {computer, computers, guidOf, makeWorld, type World} from './testing/world.ts'

let world: World

afterEach(() => world.close())

const head = {title: 'Computers of One', at: '2026-01-15T12:00:00.000Z', partial: null}
const query: ExportQuery = {
	filter: '',
	sort: {column: 'hostname', descending: false},
	format: 'csv',
	columns: ['hostname', 'os=220', 'guid'],
	guids: null
}

test('a CSV begins with what it holds, has the chosen columns, and no cell acts as a formula', async () => {
	world = makeWorld([computer(1, {hostname: '=HYPERLINK("x")', operating_system: 'A, "b"'}), computer(2)])
	await world.inventory.refresh()
	const {text, rows, partial} = await world.inventory.export({...query, filter: '-os:ubuntu'}, head, undefined)
	expect(rows).toBe(1)
	expect(partial).toBeNull()
	expect(text.split('\r\n')).toEqual([
		'"Computers of One, 2026-01-15T12:00:00.000Z, filter -os:ubuntu, 1 rows, complete"',
		'Name,Operating system,GUID',
		`"'=HYPERLINK(""x"")","A, ""b""",${guidOf(1)}`,
		''
	])
})

test('JSON Lines are the records of the service behind one line about the export, over thousands of rows', async () => {
	world = makeWorld(computers(2300))
	await world.inventory.refresh()
	const {text} = await world.inventory.export({...query, filter: 'FIN-', format: 'jsonl'}, head, undefined)
	const [first = '', ...lines] = text.trimEnd().split('\n')
	expect(JSON.parse(first)).toEqual({export: {title: head.title, at: head.at, filter: 'FIN-', rows: 460, partial: null}})
	expect(new Set(lines.map(line => JSON.parse(line).connector_guid)).size).toBe(460)
})

test('a frozen list is exported in its order, and missing computers are reported', async () => {
	world = makeWorld(computers(5))
	await world.inventory.refresh()
	const guids = [guidOf(4), guidOf(77), guidOf(1)]
	const {text, partial} = await world.inventory.export({...query, format: 'json', guids}, head, undefined)
	const file = JSON.parse(text)
	expect(file.computers.map((each: {connector_guid: string}) => each.connector_guid)).toEqual([guidOf(4), guidOf(1)])
	expect(partial).toBe('1 of the chosen computers are not in local data.')
	expect(file.export).toMatchObject({filter: null, rows: 2, partial})
})
