import {spawn} from 'node:child_process'
import {randomUUID} from 'node:crypto'
import {once} from 'node:events'
import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {onlineComputer} from '#sandbox/testing/running.ts'
import {approvalExtension} from '#model/playbook-document.ts'

import {serviceBench, type ServiceBench} from './testing/service.ts'

const bench = serviceBench({computers: 300, seed: 'playbooks'})

const playbook: ServiceBench['cordon'] = ([typed = '', ...more], how) => bench.cordon([`playbook ${typed}`, ...more], how)

const ran: ServiceBench['json'] = (typed = '', ...more) => bench.json(`playbook ${typed}`, ...more)

const host = () => onlineComputer(bench.sandbox)

const isolations = () => bench.sandbox.requests.filter(({method, path}) => method === 'PUT' && path.endsWith('/isolation')).length

const passphrase = 'correct horse battery'

const contain = () => ['run', 'Contain an endpoint', '--var', `computer=${host()}`, '--var', 'reason=Beaconing'] as const

/** Imports "Contain an endpoint" with another question. */
async function importAsking(name: string, changed: object) {
	const {out} = await playbook(['export', 'Contain an endpoint'])
	const document = JSON.parse(out) as {workflow: Record<string, {name: string}>}
	Object.assign(Object.values(document.workflow).find(step => step.name === 'Ask for approval') ?? {}, changed)
	const file = bench.file('own.json', JSON.stringify({...document, id: `playbook--${randomUUID()}`, name}))
	expect((await playbook(['import', file])).code).toBe(0)
}

describe('cordon playbook', () => {
	test('a question ends the program, and its answer resumes the run', async () => {
		const begun = await ran(...contain())
		expect(begun).toMatchObject({code: 0, data: {state: 'waiting', questions: [{question: `Isolate ${host()}?`}]}})
		expect(isolations()).toBe(0)
		const ended = await ran('answer', begun.data.id, 'yes', '--wait')
		expect(ended).toMatchObject({code: 0, data: {state: 'completed'}})
		expect(isolations()).toBe(1)
		expect(await ran('show', begun.data.id)).toMatchObject({code: 0, data: {state: 'completed'}})
		const exported = JSON.parse((await playbook(['show', begun.data.id, '--export'])).out) as {entries: {message: string}[]}
		expect(exported).toMatchObject({run: {state: 'completed'}, document: {name: 'Contain an endpoint'}})
		expect(exported.entries.map(({message}) => message)).toContain('Playbook completed: Contain an endpoint.')
	})

	test('a secret is stored for one origin, listed without its value, and removed', async () => {
		const file = bench.file('secret.txt', 'TopSecretValue123\n')
		const origin = 'https://tickets.example.org'
		const set = await playbook(['secret set tickets --origin', origin, '--value', file])
		expect(set).toMatchObject({code: 0, out: expect.stringMatching(/tickets +https:\/\/tickets.example.org/)})
		expect(set.out + set.err).not.toContain('TopSecret')
		expect((await playbook(['secret list'])).out).not.toContain('TopSecret')
		expect((await playbook(['secret remove tickets'])).out).toContain('No secrets.')
		expect(await playbook(['secret remove tickets'])).toMatchObject({code: 3})
		expect(await playbook(['secret set a --origin x'])).toMatchObject({code: 2, err: expect.stringContaining('x is not')})
		chmodSync(file, 0o640)
		expect((await playbook(['secret set a --origin', origin, '--value', file])).err).toContain('chmod 600')
	})

	test('a process of its own waits through the question until another one answers', async () => {
		const entry = fileURLToPath(new URL('../cli.ts', import.meta.url))
		const argv = [entry, '--profile', join(bench.folder, 'profile'), 'playbook', ...contain(), '--wait']
		const child = spawn(process.execPath, argv, {stdio: ['ignore', 'ignore', 'pipe']})
		const [said] = (await once(child.stderr, 'data')) as [Buffer]
		const ended = once(child, 'close')
		expect((await ran('answer', /Run (\w+)/.exec(said.toString())?.[1] ?? '', 'yes')).code).toBe(0)
		expect(await ended).toEqual([0, null])
	})

	test('a denial ends with exit code 7, and nothing is sent', async () => {
		const before = isolations()
		const {data} = await ran(...contain())
		const shown = await playbook(['show', data.id])
		expect(shown.out).toMatch(/ waiting +1$/m)
		expect(shown.out).toContain(`playbook answer ${data.id} yes`)
		expect((await ran('answer', data.id, 'no', '--reason', 'Not now')).code).toBe(7)
		expect((await playbook(['answer', data.id, 'yes'])).err).toContain('The run has ended.')
		expect(isolations()).toBe(before)
	})

	test('a question that times out ends with exit code 8', async () => {
		await importAsking('Short', {timeout: 1})
		expect((await ran('run Short --var', `computer=${host()}`, '--var', 'reason=r', '--wait')).code).toBe(8)
	})

	test('is copied, changed, compared and tagged', async () => {
		expect(await ran('copy', 'Hunt indicators', 'My hunt')).toMatchObject({code: 0, data: {name: 'My hunt'}})
		const {out} = await playbook(['export', 'My hunt'])
		const file = bench.file('hunt.json', out.replace('"description": "', '"description": "\u26a0\ufe0f\u00a0Own. '))
		expect((await playbook(['import', file])).code).toBe(0)
		const exported = JSON.parse((await playbook(['export', 'My hunt'])).out)
		expect(exported.description).toMatch(/^\u26a0\ufe0f\u00a0Own\. /)
		const {data} = await ran('versions', 'My hunt')
		const [newer = '', older = ''] = data.map(({digest}: {digest: string}) => digest)
		for (const named of [[], [older.slice(0, 12), newer]])
			expect((await ran('diff', 'My hunt', ...named)).data).toMatchObject([{step: null, field: 'description'}])
		expect((await ran('diff', 'My hunt', older, older)).data).toEqual([])
		expect((await playbook(['diff', 'My hunt', 'none'])).code).toBe(3)
		await ran('tag', 'My hunt', 'own, night')
		const {data: all} = await ran('list')
		expect(all).toContainEqual(expect.objectContaining({name: 'My hunt', tags: ['own', 'night']}))
	})

	test('a step waits for the key of another; one that failed is retried', async () => {
		await bench.cordon(['keys', 'create', 'ana'], {typed: [passphrase, passphrase]})
		const pem = bench.file('ana.pem', (await bench.cordon(['keys', 'export', 'ana'])).out)
		await bench.cordon(['keys', 'add', 'ana', pem, '--confirm', 'ana'])
		await importAsking('Approved', {step_extensions: {[approvalExtension]: {}}})
		const before = isolations()
		const start = ['run', 'Approved', '--var', 'reason=Drill', '--var']
		const begun = await ran(...start, `computer=${host()}`)
		const [question] = begun.data.questions
		const id = question?.approval ?? ''
		expect(begun.data).toMatchObject({state: 'waiting', questions: [{approval: expect.any(String)}]})
		expect((await playbook(['show', begun.data.id])).out).toContain(`Answer with: cordon approvals approve ${id}\n`)
		expect((await playbook(['answer', begun.data.id, 'yes'])).code).toBe(2)
		expect((await bench.cordon(['approvals', 'approve', id])).code).toBe(2)
		expect(isolations()).toBe(before)
		bench.sandbox.weather.set(['PUT /v1/computers/*=status:400'])
		const approve = ['approvals', 'approve', id, '--as', 'ana']
		expect(await bench.cordon(approve, {typed: [passphrase]})).toMatchObject({code: 0})
		expect(await ran('show', begun.data.id)).toMatchObject({code: 1, data: {state: 'failed'}})
		bench.sandbox.weather.clear()
		expect(await ran('retry', begun.data.id, '--wait')).toMatchObject({code: 0, data: {state: 'completed'}})
		expect(isolations()).toBe(before + 2)
		const asked = async () => {
			const {data} = await ran(...start, `computer=${host()}`)
			const [other] = data.questions
			return {run: data.id, approval: other?.approval ?? ''}
		}
		const denied = await asked()
		await bench.cordon(['approvals', 'deny', denied.approval, '--as', 'ana'], {typed: [passphrase]})
		expect(await ran('show', denied.run)).toMatchObject({code: 7})
		const withdrawn = await asked()
		expect(await bench.cordon(['approvals', 'withdraw', withdrawn.approval])).toMatchObject({code: 0})
		expect(await ran('show', withdrawn.run)).toMatchObject({code: 7, data: {because: expect.stringContaining('withdrawn')}})
		const cancelled = await asked()
		await ran('cancel', cancelled.run)
		expect(await bench.json('approvals show', cancelled.approval)).toMatchObject({data: {state: 'withdrawn', outcome: 'The run was cancelled.'}})
		expect(isolations()).toBe(before + 2)
	})

	test('an existing version of a playbook is printed, a missing one is refused', async () => {
		expect(await playbook(['export', 'Hunt indicators', '--digest', 'none'])).toMatchObject({code: 3})
		expect(await playbook(['runs --wait 5'])).toMatchObject({code: 2})
		expect((await playbook(['runs --limit 1'])).err).toMatch(/^1 of \d+ runs\./)
		await bench.cordon(['connections', 'add', 'other', ...bench.service(bench.sandbox.readOnlyClientId)])
		expect((await ran('runs --connection other')).data).toEqual([])
		expect((await ran('runs --connection lab')).data).not.toEqual([])
		await bench.cordon(['connections', 'remove', 'other'])
	})

	test('a document is checked with each error and its fix', async () => {
		const {out} = await playbook(['export', 'Hunt indicators'])
		const good = bench.file('good.json', out)
		expect(await playbook(['check', good])).toMatchObject({code: 0})
		const bad = bench.file('bad.json', out.replace('svc_get_computer_activity', 'svc_get_computer_activty'))
		const {code, out: told} = await playbook(['check', bad, '--jsonl'])
		expect(code).toBe(1)
		expect(told).toContain('Did you mean svc_get_computer_activity?')
	})

	test('cancel ends a waiting run, with 130', async () => {
		const {data} = await ran(...contain())
		expect(await ran('cancel', data.id)).toMatchObject({code: 130, ok: false, data: {state: 'cancelled'}})
	})

	test('a schedule and a rule are made, listed, paused and removed', async () => {
		const stale = ['--playbook', 'Stale and duplicate computers']
		const made = await ran('schedule add Morning', ...stale, '--at', '0 6 * * MON-FRI', '--zone', 'Europe/Berlin')
		expect(made).toMatchObject({code: 0, data: {enabled: true, timeZone: 'Europe/Berlin', missed: 'skip'}})
		expect(await ran('schedule pause Morning')).toMatchObject({data: {enabled: false, next: null}})
		const rule = ['rule', 'add', 'Critical', '--filter', 'severity=critical', '--role', 'server', '--most', '3']
		expect(await ran(...rule)).toMatchObject({data: {roles: ['server'], playbook: null, most: 3, minutes: 60}})
		expect((await playbook(['rule list'])).out).toContain('severity=critical · server · 3 in 60 min')
		expect(await playbook(['rule test Critical'])).toMatchObject({code: 2})
		expect(await playbook(['schedule remove Morning'])).toMatchObject({code: 0})
		expect(await ran('schedule list')).toMatchObject({data: []})
	})

	test.each([
		['Write five parts', ['schedule', 'add', 'X', '--playbook', 'Hunt indicators', '--at', '0 6 * *']],
		['never come', ['schedule', 'add', 'X', '--playbook', 'Y', '--at', '0 6 31 2 *']],
		['--playbook is missing', ['schedule', 'add', 'X', '--at', '0 6 * * *']],
		['use one of skip, once', ['schedule', 'add', 'X', '--playbook', 'Y', '--at', '0 6 * * *', '--missed', 'no']],
		['server', ['rule', 'add', 'X', '--filter', 'severity=high', '--role', 'no']],
		['--filter is missing', ['rule', 'add', 'X']],
		['rule add NAME', ['rule', 'add']]
	])('%s: %j is refused with 2', async (text, argv) => {
		expect(await playbook(argv)).toMatchObject({code: 2, err: expect.stringContaining(text)})
	})

	test('a free question takes text', async () => {
		const {out} = await playbook(['run', 'End-of-shift handover', '--var', 'since=2026-11-23T06:00:00Z'])
		expect(out).toMatch(/playbook answer \w+ TEXT$/m)
	})

	test('only a playbook signed by a trusted key and unchanged since starts unattended', async () => {
		const exported = await playbook(['export', 'Stale and duplicate computers'])
		const own = {...(JSON.parse(exported.out) as object), id: `playbook--${randomUUID()}`, name: 'Signed report'}
		const add = async (document: object) => (await playbook(['import', bench.file('own.json', JSON.stringify(document))])).code
		const schedule = () => playbook(['schedule add Own --playbook', 'Signed report', '--at', '0 6 * * *'])
		expect(await add(own)).toBe(0)
		expect(await schedule()).toMatchObject({code: 2, err: expect.stringContaining('is not signed')})
		await bench.cordon(['keys', 'create', 'bo'], {typed: [passphrase, passphrase]})
		const sign = ['playbook', 'sign', 'Signed report', '--as', 'bo']
		expect(await bench.cordon(sign)).toMatchObject({code: 2, err: expect.stringContaining('need a person at a terminal')})
		expect(await bench.cordon(sign, {typed: [passphrase]})).toMatchObject({code: 0})
		expect(await schedule()).toMatchObject({code: 2, err: expect.stringContaining('key that is trusted here')})
		const {out} = await bench.cordon(['keys', 'export', 'bo'])
		await bench.cordon(['keys', 'add', 'bo', bench.file('bo.pem', out), '--use', 'publish', '--confirm', 'bo'])
		expect(await schedule()).toMatchObject({code: 0})
		expect((await playbook(['list'])).out).toMatch(/Signed report +signed by bo/)
		expect((await bench.cordon(['log'])).out).toContain('Playbook signed with the key')
		const signed = JSON.parse((await playbook(['export', 'Signed report'])).out) as object
		expect(await add({...signed, description: 'Changed since'})).toBe(0)
		expect(await schedule()).toMatchObject({code: 2, err: expect.stringContaining('does not fit it')})
	})
})
