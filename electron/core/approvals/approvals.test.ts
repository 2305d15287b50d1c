import {generateKeyPairSync} from 'node:crypto'

import {codeOf} from '#base/testing/code-of.ts'
import {type ApprovalSubject, type KeyUse, mostEnded, type SignedAnswer} from '#model/approval.ts'
import type {Connection} from '#model/connection.ts'
import type {ManagedPolicy} from '#model/managed.ts'

import type {Database} from '#core/store/database.ts'
import {openProfileDatabase} from '#core/store/profile-schema.ts'
import {createWorld, type World} from '#core/store/testing/world.ts'
import {approvalFile, readApprovalFile} from './file.ts'
import {bareSubject, once, Approvals, type Proposal} from './approvals.ts'
import {openRows} from './rows.ts'
import {publicKeyOf, signAnswer} from './signature.ts'

let trust: ManagedPolicy['trust']
let world: World
let database: Database
let approvals: Approvals

const surface = 'cli'

beforeEach(() => {
	trust = {}
	world = createWorld()
	database = openProfileDatabase(world.folder)
	// Of a connection only its name and address are read.
	const find = () => ({id: 'c1', name: 'Lab', url: 'https://lab.example'}) as Connection
	const given = {managed: {trust: () => trust}, connections: () => ({find}), note: () => {}, operator: 'tester'}
	approvals = new Approvals({database, ...world, ...given})
})
afterEach(() => database.close())

const ask = (given: Partial<Proposal> = {}) =>
	approvals.propose({...{kind: 'plan', title: 'Isolate', details: [], content: {}, connection: 'c1', surface, requesterMay: true}, ...given})
const approved = async ({id} = ask()) => await approvals.answer({id, verdict: 'approved', reason: null, surface})
const expectCode = async (code: string, work: () => unknown) => expect(await codeOf(Promise.resolve().then(work))).toBe(code)
const accepted = async (signed: SignedAnswer) => await approvals.accept(JSON.stringify(signed), surface)

function keyPair(kind?: 'ec') {
	const {privateKey, publicKey} = kind ? generateKeyPairSync(kind, {namedCurve: 'P-256'}) : generateKeyPairSync('ed25519')
	const {id, pem} = publicKeyOf(publicKey)
	const sign = (subject: ApprovalSubject) => signAnswer(bareSubject(subject), {id, key: privateKey}, {verdict: 'approved', reason: null, at: 0})
	return {pem, sign}
}

function add(use: KeyUse, {pem, sign} = keyPair()) {
	approvals.keys.add({name: use, confirm: use, use, publicKey: pem, groups: ['staff'], surface})
	return sign
}

type Stored = (own: SignedAnswer, sign: (subject: ApprovalSubject) => SignedAnswer) => SignedAnswer | null

test.each<[string, Partial<Proposal>, Stored, string]>([
	['fits', {groups: ['Staff']}, own => own, 'approved'],
	['stands for something else', {}, ({subject}, sign) => sign({...subject, title: 'Release'}), 'pending'],
	['is of the requester', {requester: 'Approve'}, own => own, 'pending'],
	['is of its sender', {appliedBy: 'Approve by Slack'}, own => own, 'pending'],
	['was changed', {}, own => ({...own, reason: 'Another'}), 'pending']
])('a stored signature that %s', (_what, given, stored, state) => {
	const sign = add('approve')
	const asked = ask({requesterMay: false, ...given})
	const answer = {verdict: 'approved', by: 'approve', key: null, reason: null, at: '', signed: stored(sign(asked), sign)}
	database.run('INSERT INTO approval_answer VALUES (?, ?, ?, ?)', asked.id, '', asked.digest, JSON.stringify(answer))
	expect(approvals.get(asked.id).state).toBe(state)
})

test('what was approved is that content alone, and nobody takes it before or twice', async () => {
	const waiting = ask()
	for (const by of ['run/step', once]) await expectCode('approval_needed', () => approvals.claim(waiting.id, waiting.digest, by))
	const {id, digest} = await approved(waiting)
	// Names no approval to wait for.
	const changed = {code: 'approval_needed', details: {fix: expect.stringContaining('Start it again')}}
	expect(() => approvals.claim(id, '0'.repeat(64), once)).toThrow(expect.objectContaining(changed))
	approvals.claim(id, digest, 'run/step')
	expect(approvals.claim(id, digest, 'run/step').state).toBe('used')
	for (const by of ['other/step', once]) await expectCode('taken', () => approvals.claim(id, digest, by))
	await expectCode('storage', () => ask({id, content: {other: true}}))
})

test('an answer counts for its approval alone, and for no other content of that', async () => {
	const [one, other, third] = [ask(), ask({title: 'Release'}), ask({title: 'Move'})]
	await approved(one)
	await approvals.withdraw(third.id, 'No need', surface)
	expect(approvals.get(other.id)).toMatchObject({state: 'pending', answers: []})
	expect(ask({id: one.id, content: {other: true}})).toMatchObject({state: 'pending'})
	expect(approvals.get(one.id)).toMatchObject({state: 'pending', answers: []})
})

test('an answer is for what was shown, and not for what has replaced it since', async () => {
	const {id, digest} = ask({id: 'a-plan'})
	ask({id, content: {other: true}})
	const answer = {id, verdict: 'approved', reason: null, surface} as const
	await expectCode('conflict', () => approvals.answer({...answer, digest}))
	expect(approvals.get(id)).toMatchObject({state: 'pending', answers: []})
	expect(await approvals.answer({...answer, digest: approvals.get(id).digest})).toMatchObject({state: 'approved'})
})

test.each(['INSERT', 'UPDATE'])('an edit that cannot be stored leaves the request as it was, and that is told last: %s', way => {
	const {id} = ask({kind: 'change'})
	database.exec(`CREATE TRIGGER full BEFORE ${way} ON approval BEGIN SELECT RAISE(ABORT, 'full'); END`)
	let told: unknown
	approvals.onChange(() => (told = approvals.list()))
	expect(() => approvals.replace(id, {content: {other: true}, details: [], title: undefined}, surface)).toThrow('full')
	expect(approvals.list()).toMatchObject([{id, state: 'pending'}])
	expect(told).toEqual(approvals.list())
})

test('what was withdrawn does not time out', async () => {
	const {id} = ask()
	await approvals.withdraw(id, 'No need', surface)
	approvals.timeOut(id)
	expect(approvals.get(id)).toMatchObject({state: 'withdrawn', outcome: 'No need'})
})

test('a private key is not taken for its public part, and a key that is added again keeps its other use', () => {
	const {privateKey} = generateKeyPairSync('ed25519')
	const pem = String(privateKey.export({type: 'pkcs8', format: 'pem'}))
	const both = keyPair()
	expect(() => add('approve', {...both, pem})).toThrow('This is a private key')
	for (const use of ['approve', 'publish', 'approve'] as const) add(use, both)
	expect(approvals.keys.list().map(({use}) => use)).toEqual(expect.arrayContaining(['approve', 'publish']))
})

test('before more approvals than are listed of those that ended, the oldest one waits and expires', async () => {
	const {id} = ask()
	const later = `json_set(body, '$.approval.id', 'l' || n, '$.approval.expiresAt', '2999-01-01T00:00:00.000Z')`
	database.exec(`WITH RECURSIVE each (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < ${mostEnded})
    INSERT INTO approval (id, state, expires_at, body, request) SELECT 'l' || n, state, '', ${later}, request FROM approval, each`)
	expect(approvals.list(['pending']).at(-1)?.id).toBe(id)
	await world.clock.advance(8 * 86_400_000)
	await approvals.sweep()
	expect(database.get('SELECT state FROM approval WHERE id = ?', id)).toEqual({state: 'timed_out'})
})

test('demands that are stricter by now hold', async () => {
	const {id, digest} = await approved()
	for (const terms of [{needed: 2}, {requesterMay: false}]) await expectCode('approval_needed', () => approvals.claim(id, digest, once, terms))
	const asked = ask({title: 'By a key'})
	await accepted(add('approve')(asked))
	const claim = (groups: string[]) => approvals.claim(asked.id, asked.digest, once, {groups})
	await expectCode('approval_needed', () => claim(['leads']))
	expect(claim(['Staff']).state).toBe('used')
})

test('a signature that is late, of another profile, or of a key for playbooks approves nothing, not even ahead', async () => {
	const [own, publisher] = [add('approve'), add('publish')]
	const subject = {...ask(), id: 'another-id'}
	const expiresAt = new Date(world.clock.now()).toISOString()
	for (const signed of [publisher(ask()), publisher(subject), own({...subject, expiresAt}), own({...subject, profile: 'other'})])
		await expectCode('invalid_argument', () => accepted(signed))
	expect(await accepted(own(subject))).toBeNull()
})

test("the administrator's keys replace all others, and are changed by the administrator alone", async () => {
	const own = add('approve')
	const [lead, publisher, curve] = [keyPair(), keyPair(), keyPair('ec')]
	const managed = (name: string, {pem: publicKey}: {pem: string}) => ({name, publicKey, groups: []})
	await expectCode('invalid_argument', () => add('approve', curve))
	trust = {approvers: [managed('lead', lead), managed('curve', curve)], publishers: [managed('publisher', publisher)]}
	const asked = ask()
	for (const sign of [own, publisher.sign, curve.sign]) await expectCode('invalid_argument', () => accepted(sign(asked)))
	await expectCode('managed', () => add('approve'))
	await expectCode('managed', () => approvals.keys.revoke({key: 'lead', reason: 'Left', surface}))
	expect(await accepted(lead.sign(asked))).toMatchObject({state: 'approved', answers: [{by: 'lead'}]})
})

test('a key that was revoked is trusted for nothing any more', async () => {
	const pair = keyPair()
	add('approve', pair)
	approvals.keys.revoke({key: 'approve', reason: 'Lost', surface})
	for (const use of ['approve', 'publish'] as const) await expectCode('usage', () => add(use, pair))
	// The name is now that of two.
	add('approve')
	await expectCode('usage', () => approvals.keys.revoke({key: 'approve', reason: 'Left', surface}))
})

test('the file of a change is signed for its content alone', () => {
	const file: unknown = JSON.parse(approvalFile(approvals, ask({kind: 'change'}).id).text)
	expect(readApprovalFile(file)).toEqual(file)
	expect(() => readApprovalFile({...Object(file), content: {other: true}})).toThrow('was changed')
	expect(() => approvalFile(approvals, ask().id)).toThrow('is signed from its own file')
})

test('what one process claimed is offered again by that process alone', async () => {
	const {id, digest} = await approved()
	const rows = openRows({database, random: world.random, note: () => {}})
	expect(rows.claim(id, 'run/step', 'one')).toBe(true)
	rows.free(id, 'two')
	await expectCode('taken', () => approvals.claim(id, digest, 'other/step'))
	rows.free(id, 'one')
	expect(approvals.claim(id, digest, 'other/step').state).toBe('used')
})
