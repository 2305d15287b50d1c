import {randomBytes} from 'node:crypto'

import fc from 'fast-check'

import {createWorld, profileDatabase, type World} from '#core/store/testing/world.ts'
import type {Database} from '#core/store/database.ts'
import {memorySecrets} from '#base/testing/ports.ts'
import {codeAlphabet, codeLength, makeCode, openUnlockCodes, type UnlockCodes} from './codes.ts'

describe('a code', () => {
	test('has 70 bits in letters and digits that cannot be confused', () => {
		expect(codeLength * Math.log2(codeAlphabet.length)).toBeGreaterThan(70)
		expect(codeLength).toBeGreaterThanOrEqual(12)
		expect(codeLength).toBeLessThanOrEqual(24)
		for (const pair of ['0OQD', '1IL', '2Z', '5S', '8B', '6G', 'UV'])
			expect([...pair].filter(sign => codeAlphabet.includes(sign)).length).toBeLessThanOrEqual(1)
		expect(new Set(codeAlphabet).size).toBe(codeAlphabet.length)
	})

	test('uses its alphabet only, and drops bytes that would favour a letter', () => {
		fc.assert(
			fc.property(fc.infiniteStream(fc.nat(255)), bytes => {
				let odd = 0
				const random = (count: number): Uint8Array =>
					Uint8Array.from({length: count}, () => {
						const byte = bytes.next().value ?? 0
						if (byte >= 252) odd += 1
						// Otherwise a stream of only such bytes never ends.
						return odd > 200 ? byte % 252 : byte
					})
				expect(makeCode(random)).toMatch(new RegExp(`^[${codeAlphabet}]{${codeLength}}$`))
			})
		)
		const given = [252, 255, 0, 251]
		const code = makeCode(count => Uint8Array.from({length: count}, () => given.shift() ?? 1))
		expect(code.slice(0, 2)).toBe(`${codeAlphabet[0]}${codeAlphabet.at(-1)}`)
	})

	test('favours no letter and repeats none of ten thousand', () => {
		const codes = Array.from({length: 10_000}, () => makeCode(randomBytes))
		expect(new Set(codes).size).toBe(codes.length)
		const counts = new Map<string, number>()
		for (const sign of codes.join('')) counts.set(sign, (counts.get(sign) ?? 0) + 1)
		const expected = (codes.length * codeLength) / codeAlphabet.length
		// Six standard deviations.
		const most = 6 * Math.sqrt(expected)
		for (const sign of codeAlphabet) expect(Math.abs((counts.get(sign) ?? 0) - expected)).toBeLessThan(most)
	})
})

describe('the vault', () => {
	let world: World
	let database: Database
	let codes: UnlockCodes
	const secrets = memorySecrets()
	const connection = {id: 'c1', name: 'ACME'}

	beforeEach(() => {
		world = createWorld()
		database = profileDatabase(world)
		codes = openUnlockCodes({database, secrets, clock: world.clock, random: world.random})
	})

	const seal = (id: string, code = `CODE-${id}`, guid = 'G1', of = connection) =>
		codes.seal({id, connection: of, guid, label: 'FIN-1', made: 'generated', code})

	test('keeps a code from before it is sent, and lists it without the code', async () => {
		await seal('i1', 'CANARY7')
		expect(codes.list()).toEqual([expect.objectContaining({id: 'i1', connectionName: 'ACME', guid: 'g1', state: 'sealed', made: 'generated'})])
		expect(JSON.stringify(database.all('SELECT * FROM unlock_code'))).not.toContain('CANARY7')
		expect(await codes.open('i1')).toBe('CANARY7')
	})

	test('forgets the code of a refused isolation, and keeps one with an unknown outcome', async () => {
		await seal('i1')
		await codes.settle('i1', 'in_use')
		await seal('i2')
		await codes.settle('i2', 'refused')
		await seal('i3')
		await codes.settle('i3', 'unknown')
		expect(codes.list().map(({id, state}) => [id, state])).toEqual([
			['i3', 'unknown'],
			['i1', 'in_use']
		])
		expect([await codes.open('i2'), await codes.open('i1')]).toEqual([undefined, 'CODE-i1'])
		expect(codes.newest('c1', 'g1')?.id).toBe('i3')
	})

	test('keeps the newest three of a computer', async () => {
		for (const id of ['i1', 'i2', 'i3', 'i4']) {
			await seal(id)
			await codes.settle(id, 'in_use')
		}
		await seal('other', 'X', 'G2')
		await seal('elsewhere', 'Y', 'G1', {id: 'c2', name: 'B'})
		await codes.settle('elsewhere', 'in_use')
		expect(codes.list('c1').map(({id}) => id)).toEqual(['other', 'i4', 'i3', 'i2'])
		expect([codes.newest('c1', 'G1')?.id, codes.newest('c1', 'G2')?.id]).toEqual(['i4', 'other'])
		expect(await codes.open('i1')).toBeUndefined()
	})

	test('keeps the code just put in use, and shows the newest first, also when the clock was set back', async () => {
		const times = [7, 8, 9, 1, 2, 3, 4]
		codes = openUnlockCodes({database, secrets, clock: {now: () => times.shift() ?? 0}, random: world.random})
		for (const id of ['i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7']) await seal(id)
		await seal('other', 'X', 'G2')
		await codes.settle('other', 'in_use')
		expect(codes.list()).toHaveLength(8)
		await codes.settle('i4', 'in_use')
		expect(codes.list().map(({id}) => id)).toEqual(['other', 'i7', 'i6', 'i5', 'i4'])
		expect(await codes.open('i4')).toBe('CODE-i4')
	})

	test('keeps no code that it cannot list', async () => {
		database.exec("CREATE TRIGGER refused BEFORE INSERT ON unlock_code BEGIN SELECT RAISE(ABORT, 'disk'); END")
		await expect(seal('i1')).rejects.toMatchObject({code: 'storage'})
		expect(await codes.open('i1')).toBeUndefined()
	})

	test('lists no code that is not stored', async () => {
		const write = () => Promise.reject(new Error('full'))
		codes = openUnlockCodes({database, secrets: {...secrets, write}, clock: world.clock, random: world.random})
		await expect(seal('i1')).rejects.toThrow('full')
		expect(codes.list()).toEqual([])
	})

	test('forgets everything of a tenant that is gone', async () => {
		await seal('i1')
		await seal('elsewhere', 'Y', 'G1', {id: 'c2', name: 'B'})
		await codes.forget('c1')
		expect([codes.list().map(({id}) => id), await codes.open('i1'), await codes.open('elsewhere')]).toEqual([['elsewhere'], undefined, 'Y'])
	})
})
