import {generateKeyPairSync, sign, hash, type KeyObject} from 'node:crypto'

import {publicKeyOf} from '#core/approvals/signature.ts'
import {canonicalJson} from '#base/canonical.ts'
import {library} from './library.ts'
import {signatureOf, signed} from './signature.ts'

const document = library()[0] ?? {id: '', modified: ''}
const now = Date.parse('2026-11-24T12:00:00Z')
const at = '2026-11-24T11:00:00.000Z'

const pairs = {
	Ed25519: generateKeyPairSync('ed25519'),
	ES256: generateKeyPairSync('ec', {namedCurve: 'P-256'}),
	RS256: generateKeyPairSync('rsa', {modulusLength: 2048}),
	P384: generateKeyPairSync('ec', {namedCurve: 'P-384'})
}
type Name = keyof typeof pairs

function publisher(name: Name) {
	const {algorithm, pem} = publicKeyOf(pairs[name].publicKey)
	return {name, algorithm, publicKey: pem}
}

/** As another program would sign it, with JCS and SHA-256 hex written out. */
function jss(name: Name, change: object = {}) {
	const algorithm = name === 'P384' ? 'ES256' : name
	const one = {
		...{type: 'jss', id: 'jss--1', created: at, modified: at, signee: 'ana', hash_algorithm: 'sha-256', algorithm},
		...{related_to: document.id, related_version: document.modified, ...change}
	}
	const text = hash('sha256', canonicalJson({...document, signatures: [one]}), 'hex')
	const {privateKey: key}: {privateKey: KeyObject} = pairs[name]
	const value = sign(name === 'Ed25519' ? null : 'sha256', Buffer.from(text), {key, dsaEncoding: 'ieee-p1363'})
	return {...one, value: value.toString('base64url')}
}

const worth = (signatures: unknown[], trusted: Name[] = ['Ed25519'], change: object = {}) =>
	signatureOf({...document, ...change, signatures}, trusted.map(publisher), now).state

describe('a signature', () => {
	test.each(['Ed25519', 'ES256', 'RS256'] as const)('of %s counts by a trusted key alone', name => {
		expect(worth([jss(name)], [name])).toBe('trusted')
		expect(worth([jss(name)], [])).toBe('untrusted')
		expect(worth([jss(name)], [name], {description: 'Another'})).toBe('untrusted')
		expect(worth([jss(name), jss('P384')], ['P384', name])).toBe('trusted')
	})

	const embedded = {public_key: publisher('Ed25519').publicKey}
	test.each<[string, unknown, object, string]>([
		['by an unknown curve', jss('P384'), {}, 'untrusted'],
		['of another document', jss('Ed25519', {related_to: 'playbook--x'}), {}, 'broken'],
		['of another version', jss('Ed25519', {related_version: '2020-01-01T00:00:00Z'}), {}, 'broken'],
		['that was revoked', jss('Ed25519', {revoked: true}), {}, 'untrusted'],
		['that has expired', jss('Ed25519', {valid_until: '2026-11-24T11:59:59Z'}), {}, 'untrusted'],
		['that is not valid yet', jss('Ed25519', {valid_from: '2026-11-24T12:00:01Z'}), {}, 'untrusted'],
		['with another hash', jss('Ed25519', {hash_algorithm: 'sha-512'}), {}, 'broken'],
		['with another algorithm', jss('Ed25519', {algorithm: 'none'}), {}, 'broken'],
		['of no form', {type: 'jss'}, {}, 'broken'],
		['whose document was changed since', jss('Ed25519', embedded), {name: 'Another'}, 'broken']
	])('%s does not count', (_what, one, change, state) => {
		expect(worth([one], ['Ed25519', 'P384'], change)).toBe(state)
	})

	test('made here counts here, beside another; without one a document is unsigned', () => {
		const {privateKey: key, publicKey} = pairs.Ed25519
		const signer = {id: publicKeyOf(publicKey).id, key, name: 'ana', signature: '1', at}
		const made = signed({...document, signatures: [jss('ES256')]}, signer)
		expect(worth(made.signatures)).toBe('trusted')
		expect(worth(made.signatures.slice(0, 1), ['ES256'])).toBe('trusted')
		expect(worth([])).toBe('unsigned')
	})
})

test('canonical JSON is that of RFC 8785', () => {
	const input =
		'{"numbers":[333333333.33333329,1E30,4.50,2e-3,1e-27,-0],"\\u20ac":"\\u20ac$\\u000F\\nA\'\\u0042\\"\\\\","\\r":1,"1":2,"\\ud83d\\ude00":3,"\\ufb33":4}'
	expect(canonicalJson(JSON.parse(input))).toBe(
		'{"\\r":1,"1":2,"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"€":"€$\\u000f\\nA\'B\\"\\\\","😀":3,"\ufb33":4}'
	)
})
