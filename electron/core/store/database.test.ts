import {chmodSync, existsSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {openDatabase} from './database.ts'
import {storeFaultOf} from './faults.ts'
import {migrate} from './migrations.ts'
import {createWorld, type World} from './testing/world.ts'

let world: World
let path: string

beforeEach(() => {
	world = createWorld()
	path = join(world.folder, 'test.db')
})

function open(synchronous: 'FULL' | 'NORMAL' = 'FULL') {
	return openDatabase(path, {synchronous, busyTimeoutMs: 50})
}

function thrownBy(work: () => unknown) {
	try {
		work()
	} catch (error) {
		return error
	}
	throw new Error('nothing was thrown')
}

describe('a database', () => {
	test('is opened with the settings asked for, private to its owner', () => {
		const database = open()
		const pragma = (name: string) => Object.values(database.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0]
		expect(['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'cell_size_check'].map(pragma)).toEqual(['wal', 2, 1, 0, 1])
		expect(statSync(path).mode & 0o777).toBe(0o600)
		database.exec('CREATE TABLE t (a)')
		expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600)
		database.close()
	})

	test('is private also where others could read it before, and is refused without a journal that holds', () => {
		writeFileSync(path, '')
		chmodSync(path, 0o644)
		open().close()
		expect(statSync(path).mode & 0o777).toBe(0o600)
		// SQLite keeps no such journal of a file without a name.
		expect(() => openDatabase('', {synchronous: 'FULL'})).toThrow('journal_mode is delete instead of wal')
	})

	test('keeps what a transaction wrote and nothing of one that threw', () => {
		const database = open()
		database.exec('CREATE TABLE t (a INTEGER) STRICT')
		database.transaction(() => database.run('INSERT INTO t VALUES (?)', 1))
		expect(() =>
			database.transaction(() => {
				database.run('INSERT INTO t VALUES (2)')
				throw new Error('no')
			})
		).toThrow('no')
		expect(database.all('SELECT a FROM t')).toEqual([{a: 1}])
		database.close()
	})

	test('commits durably on request and goes back to its own setting', () => {
		const database = open('NORMAL')
		const level = () => database.get('PRAGMA synchronous')
		expect(database.transaction(level, {durable: true})).toEqual({synchronous: 2})
		expect(level()).toEqual({synchronous: 1})
		database.close()
	})

	test('names the file and the reason when another process has locked it', () => {
		const [one, two] = [open(), open()]
		one.exec('BEGIN IMMEDIATE')
		const error = thrownBy(() => two.transaction(() => {}))
		expect(error).toMatchObject({code: 'storage', message: expect.stringContaining('another process has locked it')})
		expect(storeFaultOf(error)).toBe('locked')
		one.close()
		two.close()
	})

	test('keeps frequent statements, and neither all nor the largest', () => {
		const database = open()
		const often = database.prepare('SELECT 1')
		expect(database.prepare('SELECT 1')).toBe(often)
		const wide = `SELECT 1 WHERE 1 IN (${Array.from({length: 4000}, (_, index) => index).join(', ')})`
		expect(database.prepare(wide)).not.toBe(database.prepare(wide))
		const first = database.prepare('SELECT 2')
		for (let index = 0; index < 1000; index += 1) {
			database.prepare(`SELECT ${index} + 3`)
			expect(database.prepare('SELECT 1')).toBe(often)
		}
		expect(database.prepare('SELECT 2')).not.toBe(first)
		database.close()
	})

	test('reports a full disk as such', () => {
		const database = open()
		database.exec('CREATE TABLE t (a BLOB); PRAGMA max_page_count = 4')
		expect(thrownBy(() => database.run('INSERT INTO t VALUES (zeroblob(100000))'))).toMatchObject({code: 'disk_full'})
		database.close()
	})

	test('reports a file that is no database as damaged', () => {
		writeFileSync(path, 'this is no database, but it is long enough to look at '.repeat(40))
		const error = thrownBy(open)
		expect(storeFaultOf(error)).toBe('corrupt')
		expect(error).toMatchObject({details: {fix: expect.stringContaining(`move it away together with ${path}-wal`)}})
	})

	test('closes twice without complaint, leaves no sidecar files, and cancels what is still asked of it', () => {
		const database = open()
		database.exec('CREATE TABLE t (a)')
		const statement = database.prepare('SELECT * FROM t')
		database.close()
		database.close()
		const asks = [() => database.exec(''), () => database.get('SELECT 1'), () => database.transaction(() => 1)]
		const kept = [() => statement.get(), () => [...statement.iterate()]]
		for (const ask of [...asks, ...kept]) expect(thrownBy(ask)).toMatchObject({code: 'cancelled'})
		expect(existsSync(`${path}-wal`)).toBe(false)
	})
})

describe('migrations', () => {
	const first = 'CREATE TABLE one (a)'
	const second = 'CREATE TABLE two (a)'
	const tables = (database: ReturnType<typeof open>) =>
		database.all<{name: string}>('SELECT name FROM sqlite_schema ORDER BY name').map(row => row.name)

	test('run once each, in order, however often the file is opened', () => {
		const database = open()
		migrate(database, [first])
		migrate(database, [first, second])
		migrate(database, [first, second])
		expect(tables(database)).toEqual(['one', 'two'])
		database.close()
	})

	test('leave nothing behind when a step fails', () => {
		const database = open()
		expect(() => migrate(database, [first, 'CREATE NONSENSE'])).toThrow()
		expect(tables(database)).toEqual([])
		database.close()
	})

	test('refuse a file of a newer version', () => {
		const database = open()
		migrate(database, [first, second])
		expect(thrownBy(() => migrate(database, [first]))).toMatchObject({code: 'storage', message: expect.stringContaining('newer version')})
		database.close()
	})
})
