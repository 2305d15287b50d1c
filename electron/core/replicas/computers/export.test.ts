import {stringifyExact} from '#model/exact-json.ts'
import {whole} from '#shared/streams.ts'
import type {ExportQuery} from './export.ts'
import {commonTables, openCacheFile} from '#core/store/cache-file.ts'
import {noLabelsAtAll} from './filter-sql.ts'
import {openInventoryFile} from './schema.ts'
import {byName, computer, computers, guidOf, makeWorld, type World} from './testing/world.ts'

let world: World

afterEach(() => world.close())

const head = {title: 'Computers of One', at: '2026-01-15T12:00:00.000Z', partial: null}
const query: ExportQuery = {...byName, format: 'csv', columns: ['hostname', 'os=220', 'guid'], guids: null}

test('a CSV begins with what it holds, has the chosen columns, and no cell acts as a formula', async () => {
	world = makeWorld([computer(1, {hostname: '=HYPERLINK("x")', operating_system: 'A, "b"'}), computer(2)])
	await world.inventory.refresh()
	const {text, rows, partial} = await whole(world.inventory.export({...query, filter: '-os:ubuntu'}, head, undefined))
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
	const {text} = await whole(world.inventory.export({...query, filter: 'FIN-', format: 'jsonl'}, head, undefined))
	const [first = '', ...lines] = text.trimEnd().split('\n')
	expect(JSON.parse(first)).toEqual({export: {title: head.title, at: head.at, filter: 'FIN-', rows: 460, partial: null}})
	const records = new Map(world.service.computersNow.map(record => [record.connector_guid, stringifyExact(record)]))
	expect(lines).toEqual(world.inventory.guids({...query, filter: 'FIN-'}).map(guid => records.get(guid)))
})

test('a frozen list is exported in its order, and missing computers are reported', async () => {
	world = makeWorld(computers(5))
	await world.inventory.refresh()
	const guids = [guidOf(4), guidOf(77), guidOf(1)]
	const {text, partial} = await whole(world.inventory.export({...query, format: 'json', guids}, head, undefined))
	const file = JSON.parse(text)
	expect(file.computers.map((each: {connector_guid: string}) => each.connector_guid)).toEqual([guidOf(4), guidOf(1)])
	expect(partial).toBe('1 of the chosen computers are not in local data.')
	expect(file.export).toMatchObject({filter: null, rows: 2, partial})
})

test('an export is the copy as it was when it began, in pieces, and ends with the copy', async () => {
	world = makeWorld(computers(2300))
	await world.inventory.refresh()
	const begin = () => world.inventory.export({...query, format: 'jsonl'}, head, undefined)
	const [stream, left] = [begin(), begin()]
	const pieces = [await stream.next(), await left.next()].map(({value}) => String(value))
	expect(Math.max(...pieces.map(({length}) => length))).toBeLessThan(70_000)
	world.service.computersNow = world.service.computersNow.map(record => ({...record, hostname: 'another'}))
	world.clock.advance(60_000)
	await world.inventory.refresh()
	const {text, rows} = await whole(stream)
	expect(rows).toBe(2300)
	expect(text + String(pieces[0])).not.toContain('another')
	await world.inventory.stop()
	await expect(left.next()).rejects.toMatchObject({code: 'cancelled'})
})

test('its computers are chosen in the copy as it was when it began, whatever has left the file by then', async () => {
	const having = () => {
		const database = openInventoryFile(world.path)
		database.exec('DELETE FROM computer; UPDATE revision SET value = value + 1')
		database.close()
		return [guidOf(1)]
	}
	world = makeWorld(computers(3), {...noLabelsAtAll, having})
	await world.inventory.refresh()
	expect(await whole(world.inventory.export({...query, filter: 'tag:x'}, head, undefined))).toMatchObject({rows: 1, partial: null})
})

test('a copy that another version has made anew is not exported, and says so', async () => {
	world = makeWorld(computers(3))
	openCacheFile({path: world.path, schemaVersion: 99, tables: commonTables, tune: ''}).close()
	await expect(whole(world.inventory.export(query, head, undefined))).rejects.toThrow('made anew by another version')
})

test('an export that grows too large is cut, and says how many computers it lacks', async () => {
	world = makeWorld(computers(8))
	await world.inventory.refresh()
	const database = openInventoryFile(world.path)
	database.run(`UPDATE record SET json = '{"x":"' || hex(zeroblob(4000000)) || '"}'`)
	database.close()
	const {text, rows, partial} = await whole(world.inventory.export({...query, format: 'json'}, head, undefined))
	expect([rows, partial]).toEqual([6, '2 further computers do not fit into one file.'])
	const file = JSON.parse(text)
	expect([file.computers.length, file.export.partial]).toEqual([6, partial])
})
