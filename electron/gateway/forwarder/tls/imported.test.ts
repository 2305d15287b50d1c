import {createPrivateKey, generateKeyPairSync} from 'node:crypto'
import {inspect} from 'node:util'

import {CordonError} from '#contract/errors.ts'

import type {Credentials} from '../types.ts'
import {checkImport} from './imported.ts'
import {certify, clientAuth, type Wish} from './testing/certify.ts'

const dns = ['desk']

function refusal(input: Credentials, now = Date.now()) {
	try {
		checkImport(input, now)
	} catch (error) {
		if (!(error instanceof CordonError)) throw error
		expect(error.code).toBe('bad_certificate')
		expect(inspect(error, {depth: 9})).not.toMatch(/PRIVATE KEY|canary/)
		return {field: error.details.field ?? '', text: `${error.message} ${error.details.fix ?? ''}`}
	}
	throw new Error('it was accepted')
}

function expectRefused(input: Credentials, field: 'certificate' | 'key', text: RegExp) {
	expect(refusal(input)).toMatchObject({field, text: expect.stringMatching(text)})
}

describe('a certificate and key are imported', () => {
	it.each<Wish['keys']>(['ec', 'rsa'])('with a key of kind %s, whatever its form', async (keys = 'ec') => {
		const pair = await certify('desk', {dns, keys})
		const key = createPrivateKey(pair.key)
		const forms = [pair.key, key.export({type: keys === 'rsa' ? 'pkcs1' : 'sec1', format: 'pem'}).toString()]
		for (const form of forms) expect(checkImport({...pair, key: form}, Date.now()).certificate).toBe(pair.certificate)
	})

	it('with texts between the blocks, Windows line ends and parameters before the key', async () => {
		const pair = await certify('desk', {dns})
		const certificate = `subject=CN = desk\r\n${pair.certificate.replaceAll('\n', '\r\n')}`
		const key = `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${pair.key}`
		expect(checkImport({certificate, key}, Date.now())).toEqual(pair)
	})

	it('with a chain in order', async () => {
		const root = await certify('Root', {authority: true})
		const between = await certify('Between', {authority: true, issuer: root})
		const leaf = await certify('desk', {dns, issuer: between})
		const certificate = leaf.certificate + between.certificate + root.certificate
		expect(checkImport({certificate, key: leaf.key}, Date.now()).certificate).toBe(certificate)
		const turned = leaf.certificate + root.certificate + between.certificate
		expectRefused({certificate: turned, key: leaf.key}, 'certificate', /did not issue/)
		const late = root.certificate + leaf.certificate
		expectRefused({certificate: late, key: leaf.key}, 'certificate', /own certificate first/)
	})
})

describe('a certificate or key is refused', () => {
	it.each<[string, Wish, 'certificate' | 'key', RegExp]>([
		['expired', {dns, from: -9, to: -1}, 'certificate', /expired on \d{4}-\d\d-\d\d.*Import a renewed one/],
		['not valid yet', {dns, from: 2}, 'certificate', /not valid before/],
		['without names', {}, 'certificate', /names no host.*subject alternative name/],
		['for clients only', {dns, uses: [clientAuth]}, 'certificate', /not meant for servers/],
		['of a short RSA key', {dns, keys: 'rsa-1024'}, 'key', /1024 bits is too weak.*2048/],
		['of a key that browsers do not know', {dns, keys: 'ed25519'}, 'key', /RSA and EC keys only/]
	])('%s', async (_what, wish, field, text) => {
		expectRefused(await certify('desk', wish), field, text)
	})

	it('with another one than its own key', async () => {
		const [one, other] = [await certify('desk', {dns}), await certify('desk', {dns})]
		expectRefused({...one, key: other.key}, 'key', /does not belong/)
	})

	it('with a curve that browsers do not know', async () => {
		const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'secp256k1'})
		const key = privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
		expectRefused({...(await certify('desk', {dns})), key}, 'key', /secp256k1/)
	})

	it('encrypted, in either form', async () => {
		const {certificate} = await certify('desk', {dns})
		const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
		for (const type of ['pkcs8', 'pkcs1'] as const) {
			const key = privateKey.export({type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary'}).toString()
			expectRefused({certificate, key}, 'key', /is encrypted.*openssl pkey/)
		}
	})

	it.each([
		['nothing', ''],
		['something else', 'canary'],
		['half a key', '-----BEGIN PRIVATE KEY-----\nY2FuYXJ5\n-----END PRIVATE KEY-----\n']
	])('with %s for a key', async (_what, key) => {
		expect(refusal({...(await certify('desk', {dns})), key})).toMatchObject({field: 'key'})
	})

	it('with what is no certificate', async () => {
		const {key} = await certify('desk', {dns})
		expectRefused({certificate: 'canary', key}, 'certificate', /no certificate in PEM form/)
		const broken = '-----BEGIN CERTIFICATE-----\nY2FuYXJ5\n-----END CERTIFICATE-----\n'
		expectRefused({certificate: broken, key}, 'certificate', /cannot be read/)
	})
})
