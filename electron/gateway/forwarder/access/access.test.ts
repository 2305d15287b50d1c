import {createHmac, randomBytes, X509Certificate} from 'node:crypto'
import {inspect} from 'node:util'

import {testClock} from '#core/service/api/testing/clock.ts'

import {certify, clientAuth, serverAuth, type Wish} from '../tls/testing/certify.ts'
import type {ClientCertificate, Fields} from '../message-types.ts'
import type {AccessRule, Credentials} from '../types.ts'
import {hashToken} from './password.ts'
import {accessAt, headWith, peerAt} from './testing/requests.ts'

function start() {
	const clock = testClock()
	const access = accessAt(clock)
	const ask = (rule: AccessRule, fields: Fields, certificate: ClientCertificate | null = null) =>
		access.check(rule, headWith(...fields), peerAt('192.0.2.1', certificate), 'i1')
	return {clock, ask}
}

/** Head and body as received from a transport. */
async function signed(asked: ReturnType<ReturnType<typeof start>['ask']>, body: string) {
	const verdict = await asked
	return verdict.kind === 'needs_body' ? verdict.verify(Buffer.from(body)) : verdict
}

function expectRefused(verdict: unknown) {
	expect(verdict).toMatchObject({kind: 'refused', refusal: {status: 401}})
	expect(inspect(verdict, {depth: 9})).not.toContain('canary')
}

describe('a bearer token', () => {
	const token = 'canary-token-0123456789'
	const rule: AccessRule = {kind: 'bearer', header: 'Authorization', verifiers: [hashToken('another'), hashToken(token)]}

	it('is accepted in Authorization, or bare in a field of its own', () => {
		const {ask} = start()
		expect(ask(rule, ['Authorization', `bearer ${token}`])).toMatchObject({kind: 'granted', user: null})
		expect(ask({...rule, header: 'X-Api-Key'}, ['x-api-key', token])).toMatchObject({kind: 'granted'})
	})

	it.each([
		['wrong', ['Authorization', 'Bearer canary-token-012345678']],
		['bare where it must be named', ['Authorization', token]],
		['there twice', ['Authorization', `Bearer ${token}`, 'Authorization', `Bearer ${token}`]],
		['empty', ['Authorization', 'Bearer ']],
		['empty in a field of its own', ['X-Api-Key', ' ']],
		['missing', []]
	])('is refused when it is %s, and not repeated', (_what, fields) => {
		const own: AccessRule = {...rule, header: 'X-Api-Key', verifiers: [hashToken('')]}
		for (const one of [rule, own]) expectRefused(start().ask(one, fields))
	})

	it('holds an address back after five wrong ones', () => {
		const {ask} = start()
		for (let round = 0; round < 5; round += 1) void ask(rule, ['Authorization', 'Bearer wrong'])
		expect(ask(rule, ['Authorization', `Bearer ${token}`])).toMatchObject({refusal: {status: 429}})
	})
})

describe('a signed body', () => {
	const key = 'canary-signing-key'
	const slack: AccessRule = {kind: 'hmac', preset: 'slack', toleranceS: 300, key}
	const now = Date.UTC(2026, 0, 1) / 1000
	const body = 'token=x&command=%2Fisolate'

	function slackFields(time: number, text = body, secret = key): Fields {
		const signature = createHmac('sha256', secret).update(`v0:${time}:${text}`).digest('hex')
		return ['X-Slack-Request-Timestamp', String(time), 'X-Slack-Signature', `v0=${signature}`]
	}

	function slackStart() {
		const {clock, ask} = start()
		return {clock, ask, say: (fields: Fields) => signed(ask(slack, fields), body)}
	}

	it('is accepted as Slack signs it, once', async () => {
		const {say} = slackStart()
		expect(await say(slackFields(now))).toMatchObject({kind: 'granted'})
		const again = await say(slackFields(now))
		expect(again).toMatchObject({refusal: {status: 401, reason: 'access_replayed'}})
		expect(await say(slackFields(now - 1))).toMatchObject({kind: 'granted'})
	})

	it.each([
		['another body', slackFields(now, 'other')],
		['another key', slackFields(now, body, 'other')],
		['a time before the tolerance', slackFields(now - 301)],
		['a time beyond the tolerance', slackFields(now + 301)],
		['no signature', ['X-Slack-Request-Timestamp', String(now)]],
		['no time', slackFields(now).slice(2)],
		['two times', ['X-Slack-Request-Timestamp', String(now), ...slackFields(now)]],
		['a time that is no number', ['X-Slack-Request-Timestamp', '1e9', ...slackFields(now).slice(2)]],
		['two signatures', [...slackFields(now), ...slackFields(now, 'other').slice(2)]]
	])('is refused for %s', async (_what, fields) => {
		expectRefused(await slackStart().say(fields))
	})

	it('holds an address back after five wrong ones in a row, and after none that fit', async () => {
		const {ask, say} = slackStart()
		const wrong = () => say(slackFields(now, body, 'other'))
		for (let round = 0; round < 4; round += 1) await wrong()
		for (let round = 0; round < 6; round += 1) expect(await say(slackFields(now - round))).toMatchObject({kind: 'granted'})
		for (let round = 0; round < 5; round += 1) await wrong()
		expect(ask(slack, slackFields(now - 9))).toMatchObject({refusal: {status: 429}})
	})

	it('is guessed no more often when the heads come first', async () => {
		const {ask} = start()
		const wrong = () => ask(slack, slackFields(now, body, 'other'))
		const last = wrong()
		for (const head of Array.from({length: 5}, wrong)) expectRefused(await signed(head, body))
		expect(await signed(last, body)).toMatchObject({refusal: {status: 429}})
	})

	it('is refused rather than forgotten when there are too many', async () => {
		const {ask, clock} = start()
		const tell = (text: string) => signed(ask(slack, slackFields(now, text)), text)
		for (let count = 0; count < 20_000; count += 1) await tell(String(count))
		expect(await tell('one more')).toMatchObject({refusal: {reason: 'access_overloaded'}})
		expect(await tell('0')).toMatchObject({refusal: {reason: 'access_replayed'}})
		// Once they are too old to be replayed there is room again.
		await clock.advance(301_000)
		expect(await signed(ask(slack, slackFields(now + 301, 'later')), 'later')).toMatchObject({kind: 'granted'})
	})

	it('cannot be replayed at the edge of the tolerance', async () => {
		const {clock, say} = slackStart()
		await say(slackFields(now + 300))
		await clock.advance(600_000)
		expect(await say(slackFields(now + 300))).toMatchObject({refusal: {reason: 'access_replayed'}})
	})

	it('is accepted with any of the signatures of Standard Webhooks, once', async () => {
		const {ask} = start()
		const standard: AccessRule = {...slack, preset: 'standard', key: `whsec_${Buffer.from(key).toString('base64')}`}
		const own = `v1,${createHmac('sha256', key).update(`m.${now}.${body}`).digest('base64')}`
		const other = `v1,${'A'.repeat(43)}=`
		const fields = ['webhook-id', 'm', 'webhook-timestamp', String(now), 'webhook-signature']
		const said = (text: string) => signed(ask(standard, [...fields, text]), body)
		for (const wrong of [other, `x${own}`]) expect(await said(wrong)).toMatchObject({refusal: {reason: 'access_wrong'}})
		expect(await said(`v1a,x ${other} ${own}`)).toMatchObject({kind: 'granted'})
		expect(await said(own)).toMatchObject({refusal: {reason: 'access_replayed'}})
	})

	const [id, time] = [
		['webhook-id', 'm'],
		['webhook-timestamp', `${now}`]
	]
	it.each([
		['no ID', time],
		['two IDs', [...id, ...id, ...time]],
		['no time', id],
		['two times', [...id, ...time, ...time]],
		['a time that is no whole number', [...id, 'webhook-timestamp', `${now}.0`]],
		['a long ID', ['webhook-id', 'm'.repeat(301), ...time]]
	])('of Standard Webhooks is refused for %s', async (_what, fields) => {
		const said = (given: Fields) => {
			const [name, moment] = ['webhook-id', 'webhook-timestamp'].map(field => given[given.indexOf(field) + 1])
			const signature = `v1,${createHmac('sha256', key).update(`${name}.${moment}.${body}`).digest('base64')}`
			return signed(start().ask({...slack, preset: 'standard'}, [...given, 'webhook-signature', signature]), body)
		}
		expect(await said(fields)).toMatchObject({refusal: {detail: 'The signature is malformed.'}})
		expect(await said(['webhook-id', 'm'.repeat(300), ...time])).toMatchObject({kind: 'granted'})
	})

	it('is accepted as GitHub signs it', async () => {
		const github: AccessRule = {kind: 'hmac', preset: 'github', toleranceS: 300, key}
		const signature = createHmac('sha256', key).update(body).digest('hex')
		const fields = ['X-Hub-Signature-256', `sha256=${signature}`]
		expect(await signed(start().ask(github, fields), body)).toMatchObject({kind: 'granted'})
		expect(await signed(start().ask(github, fields), `${body} `)).toMatchObject({refusal: {status: 401}})
	})

	it('is accepted as Teams signs it, with the decoded key', async () => {
		const secret = randomBytes(32)
		const teams: AccessRule = {kind: 'hmac', preset: 'teams', toleranceS: 300, key: secret.toString('base64')}
		const signature = createHmac('sha256', secret).update(body).digest('base64')
		expect(await signed(start().ask(teams, ['Authorization', `HMAC ${signature}`]), body)).toMatchObject({kind: 'granted'})
		const empty: AccessRule = {...teams, key: ''}
		const forged = createHmac('sha256', '').update(body).digest('base64')
		expect(await signed(start().ask(empty, ['Authorization', `HMAC ${forged}`]), body)).toMatchObject({kind: 'refused'})
	})

	it('is read up to a megabyte', () => {
		expect(start().ask(slack, slackFields(now))).toMatchObject({kind: 'needs_body', limitBytes: 1_048_576})
	})
})

describe('a client certificate', () => {
	let authority: Credentials
	let between: Credentials

	beforeAll(async () => {
		authority = await certify('Clients', {authority: true, pathLength: 1})
		between = await certify('Clients, second', {authority: true, issuer: authority})
	})

	function shown(...chain: Credentials[]): ClientCertificate {
		return {chain: chain.map(({certificate}) => new X509Certificate(certificate).raw), commonName: ''}
	}

	function rule(names: string[] = []): AccessRule {
		return {kind: 'certificate', authorities: authority.certificate, names}
	}

	/** The test clock differs from the time of the certificates. */
	function check(certificate: ClientCertificate | null, asked: AccessRule = rule(), days = 0) {
		const now = () => Date.now() + days * 86_400_000
		const access = accessAt({now, monotonic: () => 0})
		const verdict = access.check(asked, headWith(), peerAt('192.0.2.1', certificate), 'i1')
		if (verdict instanceof Promise || verdict.kind === 'needs_body') throw new Error('not decided at once')
		return verdict.kind === 'granted' ? verdict.user : verdict.refusal.detail
	}

	const issue = (name: string, wish: Wish = {}) => certify(name, {issuer: authority, ...wish})

	it('is accepted from the authority, directly or over the chain that was shown', async () => {
		for (const use of [clientAuth, '2.5.29.37.0']) expect(check(shown(await issue('fw-1', {uses: [use]})))).toBe('fw-1')
		expect(check(shown(await issue('fw-2', {issuer: between}), between))).toBe('fw-2')
	})

	it('is accepted without its chain when the authority between is named too', async () => {
		const named = {...rule(), authorities: `${authority.certificate}\n${between.certificate}`}
		expect(check(shown(await issue('fw-2', {issuer: between})), named)).toBe('fw-2')
	})

	it('tells the instance its owner', async () => {
		const leaf = await issue('fw-1')
		const access = accessAt({now: Date.now, monotonic: () => 0})
		const verdict = await access.check(rule(), headWith(), peerAt('192.0.2.1', shown(leaf)), 'i1')
		const x509 = new X509Certificate(leaf.certificate)
		const sha256 = x509.fingerprint256.replaceAll(':', '').toLowerCase()
		expect(verdict).toMatchObject({
			fields: [
				'X-Console-User',
				'fw-1',
				'X-Client-Cert-Subject',
				'CN=fw-1',
				'X-Client-Cert-SHA256',
				sha256,
				'X-Client-Cert-Serial',
				x509.serialNumber
			]
		})
	})

	it('is needed', () => {
		expect(check(null)).toBe('A client certificate is needed.')
	})

	it('may be restricted to names', async () => {
		const leaf = shown(await issue('fw-1'))
		expect(check(leaf, rule(['fw-1', 'fw-2']))).toBe('fw-1')
		expect(check(leaf, rule(['FW-1']))).toContain('not allowed')
		expect(check(shown(await issue('', {subject: ['fw-1', 'fw-2']})), rule(['fw-1']))).toContain('not allowed')
	})

	it('is refused from another authority, even of the same name', async () => {
		const stranger = await certify('Clients', {authority: true})
		const renamed = await certify('Others', {authority: true})
		const named = {certificate: renamed.certificate, key: authority.key}
		expect(check(shown(await issue('fw-1', {issuer: named})))).toContain('not issued by')
		expect(check(shown(await issue('fw-1', {issuer: stranger}), stranger))).toContain('not issued by')
		expect(check(shown(await certify('fw-1')))).toContain('not issued by')
		expect(check(shown(await issue('fw-1', {issuer: between})))).toContain('not issued by')
	})

	it('is refused from an issuer that is no authority, and with a chain that is too long', async () => {
		const client = await issue('fw-1')
		expect(check(shown(await certify('fw-2', {issuer: client}), client))).toContain('not issued by')
		const third = await certify('Clients, third', {authority: true, issuer: between})
		expect(check(shown(await certify('fw-3', {issuer: third}), third, between))).toContain('not issued by')
		const last = await certify('Clients, last', {authority: true, pathLength: 0, issuer: authority})
		const below = await certify('Clients, below', {authority: true, pathLength: 0, issuer: last})
		const both = {...rule(), authorities: `${authority.certificate}\n${last.certificate}`}
		expect(check(shown(await certify('fw-4', {issuer: last}), last), both)).toBe('fw-4')
		expect(check(shown(await certify('fw-5', {issuer: below}), below), both)).toContain('not issued by')
	})

	it('is refused before and after its time, although it was good on this connection', async () => {
		const leaf = shown(await issue('fw-1', {to: 5}))
		const same = rule()
		expect(check(leaf, same)).toBe('fw-1')
		for (const days of [6, -2]) expect(check(leaf, same, days)).toContain('not valid at this time')
		expect(check(shown(await issue('fw-1', {from: 2})))).toContain('not valid at this time')
		expect(check(shown(await issue('fw-1', {to: 300})), rule(), 40)).toContain('authority that is not valid')
	})

	it.each<[string, Wish, string]>([
		['for servers only', {uses: [serverAuth]}, 'not meant for clients'],
		['with a short key', {keys: 'rsa-1024'}, 'weak'],
		['with a critical extension that nobody knows', {strange: true}, 'critical extension']
	])('is refused %s', async (_what, wish, detail) => {
		expect(check(shown(await issue('fw-1', wish)))).toContain(detail)
	})

	it('is refused when it cannot be read', () => {
		expect(check({chain: [new Uint8Array([1, 2, 3])], commonName: 'fw-1'})).toContain('cannot be read')
	})
})
