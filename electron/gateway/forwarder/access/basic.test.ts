import {inspect} from 'node:util'

import {testClock} from '#core/service/api/testing/clock.ts'

import type {AccessRule} from '../types.ts'
import {hashPassword} from './password.ts'
import {accessAt, basicField, headWith, peerAt} from './testing/requests.ts'

/** Takes milliseconds instead of tens of them. */
const cheap = {log2N: 11, r: 8, p: 1}
const password = 'canary:päss:wörd'
let rule: Extract<AccessRule, {kind: 'basic'}>

beforeAll(async () => {
	const users = [
		{name: 'firewall', verifier: await hashPassword(password, cheap)},
		{name: 'Zoë', verifier: await hashPassword('other', cheap)}
	]
	rule = {kind: 'basic', realm: 'Lists "x"', users}
})

function start() {
	const clock = testClock()
	const access = accessAt(clock)
	const ask = (fields: readonly string[], address = '192.0.2.1', asked: AccessRule = rule) =>
		access.check(asked, headWith(...fields), peerAt(address), 'i1')
	const statusFor = (given: string, address?: string, asked?: AccessRule) => statusOf(ask(basicField('firewall', given), address, asked))
	return {clock, ask, statusFor}
}

async function statusOf(verdict: ReturnType<ReturnType<typeof start>['ask']>) {
	const decided = await verdict
	return decided.kind === 'refused' ? decided.refusal.status : 200
}

describe('user and password', () => {
	it('are accepted with colons and letters beyond ASCII, and the instance is told who it is', async () => {
		const {ask} = start()
		expect(await ask(basicField('firewall', password))).toEqual({kind: 'granted', user: 'firewall', fields: ['X-Console-User', 'firewall']})
		const zoe = await ask(basicField('Zoë', 'other'))
		expect(zoe).toMatchObject({user: 'Zoë', fields: ['X-Console-User', Buffer.from('Zoë').toString('latin1')]})
	})

	it('are accepted with the verifier that is stored in earnest', async () => {
		const verifier = await hashPassword(password)
		expect(verifier).toMatch(/^scrypt\$15\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
		const earnest = {...rule, users: [{name: 'firewall', verifier}]}
		expect(await start().statusFor(password, '192.0.2.1', earnest)).toBe(200)
		expect(await start().statusFor('wrong', '192.0.2.1', earnest)).toBe(401)
	})

	it('are requested when missing, in a realm with escaped quotes', async () => {
		const verdict = await start().ask([])
		expect(verdict).toMatchObject({
			refusal: {status: 401, reason: 'access_missing', fields: ['WWW-Authenticate', String.raw`Basic realm="Lists \"x\"", charset="UTF-8"`]}
		})
	})

	it('are accepted from a client that writes Latin-1, or composes letters differently', async () => {
		const {ask, statusFor} = start()
		const latin = Buffer.from(`firewall:${password}`, 'latin1').toString('base64')
		expect(await statusOf(ask(['authorization', `basic ${latin}`]))).toBe(200)
		expect(await statusFor(password.normalize('NFD'))).toBe(200)
	})

	it.each([
		['a wrong password', basicField('firewall', 'canary')],
		['an unknown user', basicField('nobody', password)],
		['a user with another case', basicField('Firewall', password)],
		['a password with a NUL behind it', basicField('firewall', `${password}\0`)],
		['no colon', ['Authorization', `Basic ${Buffer.from('firewall').toString('base64')}`]],
		['what is not base64', ['Authorization', 'Basic fire:wall']],
		['another scheme', ['Authorization', 'Bearer abc']],
		['two credentials', [...basicField('firewall', password), ...basicField('firewall', password)]]
	])('are refused for %s', async (_what, fields) => {
		expect(await statusOf(start().ask(fields))).toBe(401)
	})

	it('cost the same time for a user who does not exist', async () => {
		const {ask} = start()
		const verifier = await hashPassword(password, {log2N: 14, r: 8, p: 1})
		const costly = {...rule, users: [{name: 'firewall', verifier}]}
		const best = {firewall: Infinity, nobody: Infinity}
		for (let round = 0; round < 5; round += 1) {
			for (const user of ['firewall', 'nobody'] as const) {
				const begin = performance.now()
				await ask(basicField(user, 'wrong'), `192.0.${user.length}.${round}`, costly)
				best[user] = Math.min(best[user], performance.now() - begin)
			}
		}
		// Without equal work it would take a hundredth.
		expect(best.nobody).toBeGreaterThan(best.firewall / 8)
	})

	it('are remembered for five minutes, and forgotten when the user changes', async () => {
		const {ask, clock} = start()
		const fields = basicField('firewall', password)
		await ask(fields)
		expect(ask(fields)).toMatchObject({kind: 'granted'})
		const changed = {...rule, users: [{name: 'firewall', verifier: await hashPassword('new', cheap)}]}
		expect(await statusOf(ask(fields, '192.0.2.1', changed))).toBe(401)
		await ask(fields)
		await clock.advance(5 * 60_000)
		expect(ask(fields)).toBeInstanceOf(Promise)
	})

	it('are checked once for equal requests at the same time', async () => {
		const {ask} = start()
		const fields = basicField('firewall', password)
		const all = Array.from({length: 50}, () => ask(fields))
		expect(new Set(all).size).toBe(1)
		expect(await statusOf(ask(fields))).toBe(200)
	})

	it('answer an overload as ours, not as a wrong password', async () => {
		const {ask} = start()
		const all = Array.from({length: 110}, (_, index) => ask(basicField('firewall', `wrong${index}`), `198.51.100.${index}`))
		const last = await Promise.race(all.slice(-5))
		expect(last).toMatchObject({refusal: {status: 503, fields: ['Retry-After', '1']}})
		await Promise.all(all)
	})

	it('appear in no verdict, whatever is wrong with them', async () => {
		const {ask} = start()
		for (const fields of [basicField('firewall', password), basicField('canary-user', password), ['Authorization', password]]) {
			expect(inspect(await ask(fields), {depth: 9})).not.toMatch(/canary|Y2FuYXJ5/)
		}
	})

	it('are refused when the stored verifier is damaged', async () => {
		const damaged = {...rule, users: [{name: 'firewall', verifier: 'scrypt$99$8$1$AAAA$AAAA'}]}
		expect(await start().statusFor(password, '192.0.2.1', damaged)).toBe(401)
	})
})

describe('failed attempts', () => {
	it('hold an address back after five in a row, each time twice as long, up to 15 minutes', async () => {
		const {ask, clock} = start()
		const waits: number[] = []
		for (let round = 0; round < 17; round += 1) {
			let verdict = await ask(basicField('firewall', `wrong${round}`))
			if (verdict.kind === 'refused' && verdict.refusal.status === 429) throw new Error('held back too early')
			verdict = await ask([])
			const [, wait] = verdict.kind === 'refused' && verdict.refusal.status === 429 ? (verdict.refusal.fields ?? []) : []
			if (wait !== undefined) {
				waits.push(Number(wait))
				await clock.advance(Number(wait) * 1000)
			}
		}
		expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
	})

	async function failFive(ask: ReturnType<typeof start>['ask'], address: string) {
		for (let round = 0; round < 5; round += 1) await ask(basicField('firewall', `wrong${round}`), address)
	}

	it('hold back even the right password, until the time is over; then it clears them', async () => {
		const {ask, clock, statusFor} = start()
		await failFive(ask, '192.0.2.1')
		expect(await statusFor(password)).toBe(429)
		await clock.advance(1000)
		expect(await statusFor(password)).toBe(200)
		await ask(basicField('firewall', 'wrong'))
		expect(await statusFor(password)).toBe(200)
	})

	it('lock out nobody else, but every address of one IPv6 network', async () => {
		const {ask, statusFor} = start()
		await failFive(ask, '2001:db8:1:2::1')
		expect(await statusFor(password, '2001:db8:1:2:ffff::9')).toBe(429)
		expect(await statusFor(password, '2001:db8:1:3::1')).toBe(200)
		expect(await statusFor(password, '192.0.2.77')).toBe(200)
	})

	it('cannot be spread over a burst that is checked all at once', async () => {
		const {ask} = start()
		const burst = Array.from({length: 40}, (_, index) => statusOf(ask(basicField('firewall', `guess${index}`))))
		const statuses = await Promise.all(burst)
		expect(statuses.filter(status => status === 401)).toHaveLength(5)
		expect(statuses.filter(status => status === 429)).toHaveLength(35)
	})

	it('of a long time ago are forgotten', async () => {
		const {ask, clock} = start()
		await failFive(ask, '192.0.2.1')
		await clock.advance(16 * 60_000 + 1000)
		await ask(basicField('firewall', 'wrong'))
		expect(await statusOf(ask([]))).toBe(401)
	})
})
