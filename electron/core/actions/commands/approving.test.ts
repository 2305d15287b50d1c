import {refused, expectRefused} from '#base/testing/code-of.ts'
import {onlineComputer} from '#sandbox/testing/running.ts'

import {CordonError} from '#contract/errors.ts'
import type {SignedAnswer} from '#model/approval.ts'
import {defaultGuardRules, type GuardRules} from '#model/guard.ts'

import {editedChange} from './approving.ts'
import {openBench, type Bench} from './testing/bench.ts'

const isolate = 'svc_put_computers_isolation'
const passphrase = 'correct horse battery'
/** And a day: after that nobody waits any more. */
const week = 8 * 24 * 3_600_000

let bench: Bench
let approvals: Bench['profile']['approvals']

beforeEach(async () => {
	bench = await openBench({computers: 200, seed: 'approve'})
	;({approvals} = bench.profile)
	demand({always: true})
})
afterEach(() => bench.close())

function demand(approval: Partial<GuardRules['approval']>) {
	const rules = {...defaultGuardRules, approval: {...defaultGuardRules.approval, ...approval}}
	const {name} = bench.profile.connections.find('sandbox')
	bench.profile.guards.setRules({connection: 'sandbox', rules, confirm: name, surface: 'cli'})
}

const computer = () => onlineComputer(bench.sandbox)

async function person(name: string, groups: string[] = []) {
	const {keys} = approvals
	const {publicKey} = await keys.create({name, passphrase, surface: 'cli'})
	keys.add({name, use: 'approve', publicKey, groups, confirm: name, surface: 'cli'})
	return {name, passphrase}
}

const puts = (count: number) => expect(bench.sent('PUT')).toHaveLength(count)
const ask = () => refused(bench.run(isolate, {connector_guid: computer()}))
const asked = async () => (await ask()).details.approval ?? ''
const answer = (id: string, key?: {name: string; passphrase: string}, verdict: 'approved' | 'denied' = 'approved') =>
	approvals.answer({id, verdict, reason: 'Seen', key, surface: 'cli'})
const notes = async () => (await bench.profile.log.query({kinds: ['note'], limit: 100})).entries.map(({message}) => message)

describe('a change that others have to approve', () => {
	test('waits, is sent once by the key of another person, and the log keeps who signed what', async () => {
		const kim = await person('ana')
		const error = await ask()
		expect(error).toMatchObject({code: 'approval_needed'})
		const withCode = bench.run(isolate, {connector_guid: computer(), unlock_code: 'CANARY7'})
		expect((await refused(withCode)).details.field).toBe('unlock_code')
		puts(0)
		const id = error.details.approval ?? ''
		expect(approvals.list()).toMatchObject([{id, state: 'pending', kind: 'change', needed: 1}])
		expect(await answer(id, kim)).toMatchObject({state: 'used', outcome: expect.stringContaining('solat')})
		puts(1)
		await expectRefused(answer(id, kim), 'usage')
		const said = await notes()
		for (const one of ['Approved by ana with the key ', 'Approval requested by ']) expect(said.some(note => note.startsWith(one))).toBe(true)
	})

	test('a name is not a second person: without a key, with the key of the requester, or an untrusted one, nothing is approved', async () => {
		const id = await asked()
		await expectRefused(answer(id), 'usage', 'cannot approve it')
		const own = await person(bench.ports.operator)
		await expectRefused(answer(id, own), 'invalid_argument', 'cannot approve it')
		await approvals.keys.create({name: 'lee', passphrase, surface: 'cli'})
		await expectRefused(answer(id, {name: 'lee', passphrase}), 'invalid_argument', 'not trusted')
		const kim = await person('ana')
		await expectRefused(answer(id, {...kim, passphrase: 'wrong horse battery'}), 'invalid_argument')
		expect(approvals.get(id)).toMatchObject({state: 'pending', answers: []})
		puts(0)
	})

	test('two of a group; a key revoked meanwhile no longer counts', async () => {
		demand({always: true, needed: 2, groups: ['leads']})
		const [kim, lee, max] = [await person('ana', ['leads']), await person('lee', ['leads']), await person('max')]
		const id = await asked()
		await expectRefused(answer(id, max), 'invalid_argument', 'none of the groups')
		expect(await answer(id, kim)).toMatchObject({state: 'pending'})
		await expectRefused(answer(id, kim), 'invalid_argument', 'approved this already')
		approvals.keys.revoke({key: 'ana', reason: 'Left', surface: 'cli'})
		expect(await answer(id, lee)).toMatchObject({state: 'pending'})
		puts(0)
		const ann = await person('zoe', ['leads'])
		expect(await answer(id, ann)).toMatchObject({state: 'used'})
	})

	test('an approval without a signature is ignored', async () => {
		await person('ana')
		const id = await asked()
		const forged = {verdict: 'approved', by: 'ana', key: null, reason: null, at: '', signed: null}
		const {database} = bench.profile
		const {digest} = approvals.get(id)
		const values = [id, 'x', digest, JSON.stringify(forged)]
		database.run('INSERT INTO approval_answer VALUES (?, ?, ?, ?)', ...values)
		database.run(`UPDATE approval SET state = 'approved'`)
		await approvals.sweep()
		expect(approvals.get(id).state).toBe('pending')
		puts(0)
		const body = database.get<{body: string}>('SELECT body FROM approval')?.body ?? ''
		database.run('UPDATE approval SET body = ?', body.replace('"requesterMay":false', '"requesterMay":true'))
		await approvals.sweep()
		puts(0)
	})

	test('is one however often it is asked for, until the demands are others or its time is over', async () => {
		const id = await asked()
		expect(await asked()).toBe(id)
		demand({always: true, needed: 2})
		const second = await asked()
		expect(second).not.toBe(id)
		await bench.ports.clock.sleep(week)
		expect(await asked()).not.toBe(second)
	})

	test('a denial, and a time-out, end it', async () => {
		const kim = await person('ana')
		const denied = await asked()
		expect(await answer(denied, undefined, 'denied')).toMatchObject({state: 'denied'})
		const late = await asked()
		expect(late).not.toBe(denied)
		await bench.ports.clock.sleep(week)
		await approvals.sweep()
		expect(approvals.get(late)).toMatchObject({state: 'timed_out'})
		await expectRefused(answer(late, kim), 'usage')
		puts(0)
	})

	test('is carried out once while the sweep looks, again after another change, and not over another process', async () => {
		const kim = await person('ana')
		const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
		const id = await asked()
		bench.replace({inventory: () => (begun.resolve(), gate.promise)})
		const answered = answer(id, kim)
		await begun.promise
		const swept = approvals.sweep()
		gate.resolve(undefined)
		await Promise.all([answered, swept])
		expect(approvals.get(id)).toMatchObject({state: 'used', outcome: expect.stringContaining('solat')})
		puts(1)
		expect(String(await notes())).not.toContain('without success')

		const outcomes = [new CordonError('busy'), new CordonError('conflict')]
		approvals.carryOutWith('change', async () => {
			if (outcomes.length === 1) bench.profile.database.run(`UPDATE approval SET state = 'used', used_by = '' WHERE id = ?`, next)
			throw outcomes.shift()
		})
		const plain = {kind: 'change', title: '', details: [], content: {}, connection: 'sandbox', surface: 'cli'} as const
		const next = approvals.propose(plain).id
		expect(await answer(next, kim)).toMatchObject({state: 'approved'})
		await approvals.sweep()
		expect(approvals.get(next)).toMatchObject({state: 'used', outcome: null})

		const last = approvals.propose(plain).id
		approvals.carryOutWith('change', async () => {
			await approvals.withdraw(last, 'Too late', 'cli')
			approvals.claim(last, approvals.get(last).digest, '')
			return ''
		})
		expect(await answer(last, kim)).toMatchObject({state: 'withdrawn', outcome: 'Too late'})
		await expectRefused(approvals.withdraw(next, 'Too late', 'cli'), 'usage', 'used already')
	})

	test.each([
		[false, 'used', 'solat', 1],
		[true, 'failed', 'Outcome unknown', 0]
	])('claimed by a killed process that began to send: %s, is %s', async (isSent, state, outcome, count) => {
		const id = await asked()
		vi.spyOn(bench.profile.locks, 'acquire').mockImplementationOnce(() => {
			throw new CordonError('busy')
		})
		const {digest, connection} = await answer(id, await person('ana'))
		approvals.claim(id, digest, '')
		const intent = {kind: 'command.requested', surface: 'cli', command: isolate, message: '', connection} as const
		if (isSent) await bench.profile.log.append({...intent, data: {approval: id}})
		// By a process that is gone.
		bench.profile.database.run(`UPDATE approval SET process = '{"pid":0,"started":""}'`)
		await approvals.sweep()
		expect(approvals.get(id)).toMatchObject({state, outcome: expect.stringContaining(outcome)})
		puts(count)
		expect(String(await notes())).not.toContain('not carried out')
	})

	test('is not sent to another service', async () => {
		const kim = await person('ana')
		const id = await asked()
		const {connections} = bench.profile
		vi.spyOn(connections, 'find').mockReturnValue({...connections.find('sandbox'), url: 'https://other.example'})
		expect(await answer(id, kim)).toMatchObject({state: 'failed', outcome: expect.stringContaining('another service')})
		puts(0)
	})

	test('an edit has another digest, and its editor becomes the requester', async () => {
		const kim = await person('ana')
		const id = await asked()
		const edit = editedChange(approvals.contentOf(id), {comment: 'Beaconing to 192.0.2.1'})
		const next = approvals.replace(id, edit, 'cli')
		expect(next).toMatchObject({state: 'pending', replaces: id})
		expect(next.digest).not.toBe(approvals.get(id).digest)
		const guid = '00000000-0000-4000-8000-000000000001'
		expect(editedChange(approvals.contentOf(id), {connector_guid: guid}).title).toContain(guid)
		expect(edit.title).toBeUndefined()
		expect(approvals.get(id)).toMatchObject({state: 'withdrawn'})
		expect(await answer(next.id, kim)).toMatchObject({state: 'used'})
		puts(1)
	})

	test('a signature from a file counts, even early; one for something else does not', async () => {
		const kim = await person('ana')
		const id = await asked()
		const signed = await approvals.sign(approvals.get(id), {verdict: 'approved', reason: null, key: kim})
		const other = (change: object) => JSON.stringify({...signed, ...change})
		const bad: Partial<SignedAnswer>[] = [{reason: 'Another'}, {subject: {...signed.subject, requester: 'somebody'}}, {key: '0'.repeat(64)}]
		for (const change of bad) await expectRefused(approvals.accept(other(change), 'cli'), 'invalid_argument')
		// Its signer was shown something else.
		for (const shown of [{title: 'Release'}, {connection: {...signed.subject.connection, name: 'Lab'}}]) {
			const misled = await approvals.sign({...signed.subject, ...shown}, {verdict: 'approved', reason: null, key: kim})
			await expectRefused(approvals.accept(JSON.stringify(misled), 'cli'), 'invalid_argument')
		}
		expect(await approvals.accept(JSON.stringify(signed), 'cli')).toMatchObject({state: 'used'})
		puts(1)

		const subject = {...signed.subject, id: 'early-approval'}
		const early = await approvals.sign(subject, {verdict: 'approved', reason: null, key: kim})
		expect(await approvals.accept(JSON.stringify(early), 'cli')).toBeNull()
		const {requester, requestedAt, expiresAt, kind, title} = subject
		const again = {id: 'early-approval', connection: 'sandbox', requester, requestedAt, expiresAt, kind, title}
		const content = approvals.contentOf(id)
		const proposal = {...again, content, details: [], surface: 'cli'} as const
		expect(approvals.propose(proposal)).toMatchObject({state: 'approved'})
	})

	test('servers only, and never a release', async () => {
		demand({servers: true})
		await bench.run(isolate, {connector_guid: computer()})
		puts(1)
		await bench.run('svc_delete_computers_isolation', {connector_guid: computer()}).catch(() => {})
		expect(approvals.list()).toEqual([])
	})

	test('a key is trusted once its name was typed, and its private part is kept sealed', async () => {
		const {keys} = approvals
		const untyped = {name: 'kim', use: 'approve', publicKey: 'x', groups: [], confirm: undefined, surface: 'cli'} as const
		await expectRefused(() => keys.add(untyped), 'confirmation_needed')
		const make = (typed: string) => keys.create({name: 'kim', passphrase: typed, surface: 'screen'})
		await expectRefused(make(' '.repeat(12)), 'invalid_argument')
		const {publicKey} = await make(` ${passphrase} `)
		expect(await keys.unlock('kim', passphrase)).toMatchObject({name: 'kim'})
		expect(publicKey).toContain('BEGIN PUBLIC KEY')
		expect(JSON.stringify(bench.profile.database.all('SELECT * FROM trusted_key'))).not.toContain('PRIVATE')
	})
})
