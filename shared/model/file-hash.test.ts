import {createHash} from 'node:crypto'

import {commonContent, isPlaceholder, notSha256, readFileHash, shortHash} from './file-hash.ts'

const of = (content: string | Buffer, kind = 'sha256') => createHash(kind).update(content).digest('hex')
const hash = of('a file')

test.each([hash, hash.toUpperCase(), `  ${hash}\n`, `"${hash}"`, `sha256:${hash}`, `SHA-256 = ${hash}`, `${hash},`])(
	'a SHA-256 is read out of %j',
	typed => expect(readFileHash(typed)).toEqual({kind: 'sha256', value: hash})
)

test.each([
	[of('x', 'md5'), 'This is an MD5. File lists hold SHA-256 only'],
	[of('x', 'sha1'), 'This is a SHA-1.'],
	[of('x', 'sha512'), 'This is a SHA-512.'],
	[of('', 'md5'), 'This is an MD5 (that of the empty file).'],
	[of('', 'sha1'), 'This is a SHA-1 (that of the empty file).'],
	[hash.slice(1), 'these are 63: something is missing'],
	[`${hash}0`, 'these are 65: something is too much'],
	[`${hash.slice(1)}g`, 'here is “g” among them'],
	[`${hash.slice(0, 20)} ${hash.slice(21)}`, 'here is a blank among them'],
	[`${hash.slice(1)}🦠`, 'here is “🦠” among them']
])('%j is told to be what it is', (typed, message) => {
	expect(readFileHash(typed)).toMatchObject({kind: 'problem', message: expect.stringContaining(message)})
})

test('an empty input is no error', () => expect(readFileHash('  ')).toEqual({kind: 'nothing'}))

test('what a text is instead of a SHA-256 has a word of its own', () => {
	const kinds = [of('x', 'md5'), of('x', 'sha1').toUpperCase(), of('x', 'sha512'), hash.slice(1), 'invoice.exe', '']
	expect(kinds.map(text => notSha256(text).kind)).toEqual([...['md5', 'sha1', 'not_a_hash', 'not_a_hash', 'not_a_hash', 'not_a_hash']])
})

test('contents found on almost every computer are recognised', () => {
	expect(commonContent(of('\n').toUpperCase())).toBe('a file of one line break')
	expect(commonContent(of(Buffer.alloc(1)))).toBe('a file of one zero byte')
	expect(commonContent(hash)).toBeNull()
})

test('one digit repeated is no hash of a file', () => {
	expect(['0'.repeat(64), 'F'.repeat(64), hash].map(isPlaceholder)).toEqual([true, true, false])
})

test('a hash is shortened to its beginning', () => expect(shortHash(hash)).toBe(`${hash.slice(0, 12)}…`))
