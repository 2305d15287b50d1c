import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {once} from 'node:events'
import {join} from 'node:path'

import {openPort} from '#base/testing/port.ts'
import {testFolder} from '#base/testing/folder.ts'
import {testCredentials} from '#gateway/forwarder/tls/testing/credentials.ts'

import {runCli} from './main.ts'
import {makeHost} from './testing/run.ts'
import {linesIn} from './testing/service.ts'

let {folder, cordon, json, file} = {} as ReturnType<typeof linesIn> // of each test its own

beforeEach(() => {
	;({folder, cordon, json, file} = linesIn(testFolder()))
})

async function done(...argv: string[]) {
	const {code, out, err} = await cordon(argv)
	expect([code, err]).toEqual([0, ''])
	return out
}

async function shown(name: string) {
	return (await json('instances show', name)).data.row
}

describe('instances', () => {
	it('are added, listed, changed and removed', async () => {
		expect(await done('instances list')).toContain('There is no instance')
		expect(await done('instances add edl --port 9001 --expose')).toContain('/instance/execute/edl')
		await done('instances set edl --set timeouts.firstByteS=60 --set methods=GET,HEAD --rename lists')
		expect(await shown('lists')).toMatchObject({
			instance: {name: 'lists', aliases: ['edl'], listenPort: 9001, methods: ['GET', 'HEAD'], timeouts: {firstByteS: 60, connectS: 2}},
			exposure: {exposed: true}
		})
		expect((await cordon(['instances list'])).out).toMatch(/^lists +stopped +9001 +yes +none/m)
		await done('instances remove lists')
		expect((await json('instances list')).data).toEqual([])
		expect((await json('instances show lists')).code).toBe(3)
	})

	it('run a program, get a free port, are switched off, hidden and shown', async () => {
		await done('instances add web --run python3 --run -m --run http.server --folder /tmp')
		expect((await shown('web')).instance).toMatchObject({
			listenPort: expect.any(Number),
			program: {kind: 'managed', command: ['python3', '-m', 'http.server'], folder: '/tmp'}
		})
		await done('instances disable web')
		expect((await shown('web')).instance.enabled).toBe(false)
		await done('instances enable web')
		await done('instances expose web')
		expect((await shown('web')).exposure).toEqual({exposed: true, key: 'instance.execute.external.web'})
		await done('instances hide web')
		expect((await shown('web')).exposure).toEqual({exposed: false, key: 'instance.execute.external.web'})
	})

	it('take secrets from files and standard input, and never show them', async () => {
		await done('instances add a --access basic --users-file', file('users', '# staff\nann:pass:word\nbob:x\n'))
		const {code} = await cordon(['instances add b --access bearer --tokens-file -'], {stdin: '0123456789-canary\n'})
		expect(code).toBe(0)
		const [a, b] = [await shown('a'), await shown('b')]
		expect(a.instance.secrets).toMatchObject({users: ['ann', 'bob']})
		expect(b.instance.secrets).toMatchObject({tokens: 1})
		expect(JSON.stringify([a, b])).not.toMatch(/canary|pass:word|scrypt/)
		const long = `${'ann:pass:word\n'.repeat(80_000)}bob:x\n`
		for (const [from, stdin] of [
			[file('long', long), ''],
			['-', long]
		] as const)
			expect(await cordon([`instances set a --users-file ${from}`], {stdin})).toMatchObject({
				code: 2,
				err: expect.stringContaining('longer than 1048576 bytes')
			})
		await done('instances set a --set access.realm=Lists')
		expect((await shown('a')).instance).toMatchObject({access: {kind: 'basic', realm: 'Lists'}, secrets: {users: ['ann', 'bob']}})
	})

	it('keep what somebody else changed while a change waited for its secrets', async () => {
		await done('instances add edl --port 9001')
		const {host} = makeHost({typed: []})
		const change = ['instances', 'set', 'edl', '--access', 'bearer', '--tokens-file', '-']
		const changing = runCli(['--profile', join(folder, 'profile'), ...change], host)
		await expect.poll(() => host.stdin.listenerCount('readable')).toBeGreaterThan(0)
		await done('instances disable edl')
		host.stdin.push('a-token-of-20-letters\n')
		host.stdin.push(null)
		expect(await changing).toBe(0)
		expect((await shown('edl')).instance).toMatchObject({enabled: false, access: {kind: 'bearer'}, secrets: {tokens: 1}})
	})

	it('take the authorities of client certificates', async () => {
		const {authority} = await testCredentials()
		const authorities = file('ca.pem', authority, 0o644)
		await done('instances add c --authorities-file', authorities, '--allow', '10.0.0.0/8', '--allow', '127.0.0.1')
		expect((await shown('c')).instance).toMatchObject({access: {kind: 'certificate', authorities: authority}, allow: ['10.0.0.0/8', '127.0.0.1']})
		await done('instances set c --allow none')
		expect((await shown('c')).instance.allow).toEqual([])
	})

	it.each([
		[['--port', '0'], 'port', 'from 1 to 65535'],
		[['--set', 'timeouts.firstByt=1'], 'set', 'timeouts.firstByteS'],
		[['--set', 'websocket'], 'set', '--set timeouts.firstByteS=60'],
		[['--set', 'websocket=on'], 'set', 'true or false'],
		[['--set', 'limits.body=-1'], 'limits.body', 'at least 0'],
		[['--access', 'bsic'], 'access', 'did you mean basic?'],
		[['--access', 'basic'], 'users', 'a user and a password'],
		[['--access', 'certificate'], 'authorities-file', '--authorities-file'],
		[['--folder', '/tmp'], 'folder', '--run'],
		[['--tokens-file', '/none'], 'tokens-file', '--access bearer'],
		[['--access', 'bearer', '--tokens-file', '/none/x'], 'tokens-file', 'no such file'],
		[['--password', 'canary'], 'api-key-file', 'not accepted']
	])('are refused with the fix: %j', async (argv, field, fix) => {
		const {code, error} = await json('instances add x', ...argv)
		expect([code, error?.field]).toEqual([2, field])
		expect(`${error?.message} ${error?.fix}`).toContain(fix)
		expect(error?.message).not.toContain('canary')
		expect((await json('instances list')).data).toEqual([])
	})

	it('have unique ports and names', async () => {
		await done('instances add edl --port 9001')
		const {code, error} = await json('instances add other --port 9001')
		expect([code, error?.code]).toEqual([2, 'taken'])
		expect(error?.message).toContain('edl')
	})

	it('are not exposed to the network without access control until a text is typed', async () => {
		await done('instances add', 'open one', '--port', '9001')
		await done('parameters set forward.lan true')
		const {code, error} = await json('instances expose', 'open one')
		expect([code, error?.code, error?.field]).toEqual([2, 'confirmation_needed', 'open one'])
		expect(error?.fix).toContain('--confirm "open one"')
		expect((await shown('open one')).exposure.exposed).toBe(false)
		expect((await json('instances expose', 'open one', '--confirm', 'something else')).code).toBe(2)
		expect((await json('instances expose', 'open one', '--confirm', 'open one')).code).toBe(0)
		expect((await shown('open one')).exposure.exposed).toBe(true)
		expect((await cordon(['log --json'])).out).toContain('open one')
	})

	it('are queried directly, past the route', async () => {
		const server = createServer((request, response) => void response.writeHead(request.url === '/ok' ? 200 : 503).end())
		const port = await openPort(server)
		await done('instances add a --port', String(port), '--set', 'healthCheck.path=/ok')
		expect(await done('instances test a')).toContain('with 200')
		await done('instances set a --set healthCheck.path=/')
		expect((await cordon(['instances test a'])).code).toBe(1)
		server.close()
		await once(server, 'close')
		expect((await cordon(['instances test a'])).out).toContain('nothing listens there')
	})

	it('that are stopped say so, and name the program on the port', async () => {
		const server = createServer((_, response) => void response.end())
		const port = await openPort(server)
		await done('instances add a --port', String(port), '--run', 'true')
		const held = await cordon(['instances test a'])
		expect([held.code, held.out]).toEqual([1, expect.stringMatching(/^a is stopped: No console runs/)])
		expect(held.out).toContain(`Port ${port} is held by `)
		expect(held.out).not.toMatch(/\b200\b/)
		server.close()
		await once(server, 'close')
		expect((await cordon(['instances test a'])).out).toContain('Nothing listens on its port.')
	})

	it('are probed stage by stage', async () => {
		await done('instances add a --port 9001')
		const {code, data} = await json('instances probe a')
		expect(code).toBe(1)
		expect(data[0]).toMatchObject({stage: 'server', outcome: 'failed'})
	})

	it('have requests only while a console runs, and report its absence', async () => {
		expect(await done('instances requests')).toContain('No console runs')
	})

	it('print and publish only while a console runs, and report its absence', async () => {
		await done('instances add a --port 9001')
		expect(await done('instances output a')).toContain('Nothing that a printed was written down')
		const {code, error} = await json('instances publish a')
		expect([code, error?.fix]).toEqual([2, expect.stringContaining('Start the console')])
	})

	it('complete by name, and so do the keys of server parameters', async () => {
		await done('instances add edl --port 9001')
		expect(await done('__complete instance')).toBe('edl\tport 9001\n')
		expect(await done('__complete parameter')).toContain('instance.execute.external.edl\t')
	})
})

describe('server parameters', () => {
	it('are set, explained and removed', async () => {
		expect(await done('parameters list')).toContain('No server parameter')
		await done('instances add edl --port 9001')
		expect(await done('parameters set instance.execute.external true')).toContain('is true')
		expect((await shown('edl')).exposure).toEqual({exposed: true, key: 'instance.execute.external'})
		expect((await json('parameters list')).data).toMatchObject([{key: 'instance.execute.external', value: 'true'}])
		await done('parameters remove instance.execute.external')
		expect((await json('parameters list')).data).toEqual([])
	})

	it('are refused with a suggestion', async () => {
		const {code, error} = await json('parameters set instance.execute.externl true')
		expect(code).toBe(2)
		expect(error?.message).toContain('Did you mean instance.execute.external')
		expect((await json('parameters set instance.execute.external yes')).code).toBe(2)
	})

	it('name an instance that does not exist', async () => {
		const {code, err} = await cordon(['parameters set instance.execute.external.EDL true'])
		expect([code, err]).toEqual([0, ''])
		expect((await cordon(['parameters list'])).err).toContain('No instance has the name EDL')
	})
})

describe('the certificate', () => {
	it('of the authority goes to a file or to standard output', async () => {
		const out = await done('ca export')
		expect(out).toMatch(/^-----BEGIN CERTIFICATE-----/)
		const path = join(folder, 'ca.der')
		expect(await done('ca export --format der --out', path)).toMatch(/PAN-OS/)
		expect(readFileSync(path)[0]).toBe(0x30)
		expect((await cordon(['ca export --format der'])).code).toBe(2)
		expect((await json('ca export')).data).toMatchObject({content: out, hints: expect.any(Array)})
	})

	it('is written to a file, with steps to import it', async () => {
		const {hints} = (await json('ca export --format der --out', join(folder, 'x.der'))).data
		const stepsOf = (product: string) => hints.find((hint: {product: string}) => hint.product.startsWith(product)).steps
		expect(stepsOf('Windows')).toContain(`-addstore Root ${join(folder, 'x.der')}`)
		expect(stepsOf('Windows')).not.toContain('cordon-ca')
		expect(stepsOf('Firefox')).toContain('cordon ca export --format pem --out cordon-ca.pem')
		const text = await done('ca export --out', join(folder, 'x.pem'))
		expect(text).toContain(`Import: ${join(folder, 'x.pem')}`)
	})

	it('is renewed, replaced by your own, and restored', async () => {
		const first = (await json('ca renew')).data
		expect(first).toMatchObject({kind: 'local', authority: expect.any(Object)})
		expect((await json('ca show')).data.fingerprint).toBe(first.fingerprint)
		const {certificate, key} = await testCredentials(['gateway.example'])
		const files = ['--certificate', file('c.pem', certificate), '--key', file('k.pem', key)]
		expect((await json('ca import', ...files)).data).toMatchObject({kind: 'imported'})
		expect(await done('ca show')).toContain('gateway.example')
		expect((await json('ca use-local')).data).toMatchObject({kind: 'local'})
	})

	it('is refused without its key, with another, and from a file that others can read', async () => {
		const [one, other] = [await testCredentials(), await testCredentials()]
		const certificate = file('c.pem', one.certificate)
		expect((await json('ca import --certificate', certificate)).error?.field).toBe('key')
		const wrong = await json('ca import --certificate', certificate, '--key', file('wrong', other.key))
		expect([wrong.code, wrong.error?.code]).toEqual([2, 'bad_certificate'])
		const open = await json('ca import --certificate', certificate, '--key', file('open', one.key, 0o644))
		expect(open.error?.message).toContain('chmod 600')
		expect(JSON.stringify([wrong, open])).not.toContain('PRIVATE KEY')
	})
})
