import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {deflateSync} from 'node:zlib'

import {testFolder} from '#base/testing/folder.ts'
import {filesBelow, tracesOf} from './testing/canary.ts'

const secret = 'ACDE+HJ/KMNP RT7'
const before = 'the key is '

test.each([
	['plain', secret],
	['lower case', secret.toLowerCase()],
	['hex', Buffer.from(secret).toString('hex')],
	['hex', Buffer.from(secret).toString('hex').toUpperCase()],
	['URL-encoded', encodeURIComponent(secret)],
	['JSON', JSON.stringify('a"b').slice(1, -1)],
	['base64', Buffer.from(secret).toString('base64')],
	['base64', Buffer.from(`:${secret}:`).toString('base64')],
	['base64', Buffer.from(`id:${secret}`).toString('base64url')]
])('a secret that was written down as %s is found', (kind, text) => {
	const wanted = kind === 'JSON' ? 'a"b' : secret
	expect(tracesOf([wanted], [{name: 'place', content: `${before}${text}.`}])).toContain(`place: secret 0 as ${kind}`)
})

test('raw bytes of files are looked at, and another secret is none', () => {
	const folder = testFolder()
	writeFileSync(join(folder, 'a.db-wal'), Buffer.concat([Buffer.of(0, 255), Buffer.from(secret, 'utf16le')]))
	writeFileSync(join(folder, 'b'), deflateSync('nothing'))
	expect(tracesOf(['another one', secret], filesBelow(folder))).toEqual(['a.db-wal: secret 1 as UTF-16'])
})
