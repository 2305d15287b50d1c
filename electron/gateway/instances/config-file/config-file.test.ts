import {execFileSync} from 'node:child_process'
import {chmodSync, closeSync, constants, mkdirSync, openSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import fc from 'fast-check'
import {CordonError} from '#contract/errors.ts'

import {readForwardFile} from './read.ts'
import {fileFolder} from '#base/testing/folder.ts'
import {computedMs} from '#base/testing/cpu.ts'

const folder = fileFolder()
let count = 0

const options = {
	owner: {platform: process.platform, uid: process.getuid?.() ?? null},
	hashPassword: (password: string) => Promise.resolve(`hash of ${password}`)
}

function write(text: string | Uint8Array, mode = 0o644) {
	const path = join(folder, `cordon-${(count += 1)}.yaml`)
	writeFileSync(path, text)
	chmodSync(path, mode)
	return path
}

function read(text: string | Uint8Array, mode?: number) {
	return readForwardFile(write(text, mode), options)
}

async function refusal(text: string | Uint8Array, mode?: number) {
	const error: unknown = await read(text, mode).then(
		() => {},
		(thrown: unknown) => thrown
	)
	if (error instanceof CordonError) return error
	throw new Error(`accepted, or failed otherwise: ${String(error)}`)
}

/** Each problem as `line key`. */
async function places(text: string, mode?: number) {
	return (await problems(text, mode)).map(({line, key}) => `${line} ${key}`)
}

async function problems(text: string, mode?: number) {
	return (await refusal(text, mode)).details.problems ?? []
}

const two = `instances:
  - name: edl
    listenPort: 9001
  - name: taxii
    listenPort: 9002
`

describe('a configuration', () => {
	it('needs names and ports only', async () => {
		const file = await read(two)
		expect(file.instances.map(({definition}) => [definition.name, definition.listenPort])).toEqual([
			['edl', 9001],
			['taxii', 9002]
		])
		expect(file.instances[0]).toMatchObject({access: {kind: 'none'}, definition: {timeouts: {firstByteS: 300}, program: {kind: 'external'}}})
		expect(file.listen).toMatchObject({host: null, port: null, lan: false, credentials: null, metricsPort: 0})
		expect(file.warnings).toEqual([])
	})

	it('is JSON just as well, with tabs and all', async () => {
		const file = await read(
			'{\n\t"parameters": {"instance.execute.external": true, "instance.execute.external.edl": "false"},\n' +
				'\t"instances": [\n\t\t{"name": "edl", "listenPort": 9001}\n\t],\n\t"listen": {"port": 0}\n}'
		)
		expect(file.parameters).toEqual({'instance.execute.external': 'true', 'instance.execute.external.edl': 'false'})
		expect(file.listen.port).toBe(0)
	})

	it('keeps parameters as they are written', async () => {
		const {parameters} = await read(`parameters: {forward.platformVersion: 6.10}\n${two}`)
		expect(parameters).toEqual({'forward.platformVersion': '6.10'})
	})

	it('takes what the parameters say where the section listen says nothing', async () => {
		const parameters = 'parameters: {forward.listen: "127.0.0.1:9443", forward.hostnames: "A.example, b.example"}\n'
		expect((await read(parameters + two)).listen).toMatchObject({host: '127.0.0.1', port: 9443, hostnames: ['a.example', 'b.example']})
		expect((await read(`${parameters}listen: {port: 1234}\n${two}`)).listen).toMatchObject({port: 1234})
	})

	it('takes limits one by one', async () => {
		const {limits} = (await read(`listen: {limits: {connections: 7}}\n${two}`)).listen
		expect(limits).toMatchObject({connections: 7, headMs: 10_000})
	})

	it('may repeat a part with an alias', async () => {
		const {instances} = await read(`instances:
  - {name: a, listenPort: 9001, timeouts: &slow {firstByteS: 0}}
  - {name: b, listenPort: 9002, timeouts: *slow}
`)
		expect(instances.map(({definition}) => definition.timeouts.firstByteS)).toEqual([0, 0])
	})
})

describe('a mistake is reported with its line, its key and the way out', () => {
	it.each([
		['instances:\n  - name: edl\n    listnPort: 9001\n', ['2 instances[0].listenPort', '3 instances[0].listnPort'], 'did you mean listenPort?'],
		[`${two}isntances: []\n`, ['6 isntances'], 'did you mean instances?'],
		[`${two}    limits:\n      bdy: 1\n`, ['7 instances[1].limits.bdy'], 'did you mean body?'],
		[`${two}    access: {kind: bsic}\n`, ['6 instances[1].access.kind'], 'did you mean basic?'],
		[`${two}    access: {kind: basic, user: []}\n`, ['6 instances[1].access.users', '6 instances[1].access.user'], 'did you mean users?'],
		[`${two}    websocket: off\n`, ['6 instances[1].websocket'], 'a text in YAML 1.2: write false'],
		[`${two}    enabled: Yes\n`, ['6 instances[1].enabled'], 'write true'],
		['instances: [{name: no, listenPort: 9001}, {name: 123, listenPort: 9002}]', ['1 instances[1].name'], 'put quotes around it: "123"'],
		['instances: [{name: true, listenPort: 9001}]', ['1 instances[0].name'], 'put quotes around it: "true"'],
		['instances: [{name: a, listenPort: 9_001}]', ['1 instances[0].listenPort'], 'write 9001'],
		['instances: [{name: a, listenPort: 09001}]', ['1 instances[0].listenPort'], 'begins with 0'],
		['instances: [{name: a, listenPort: 70000}]', ['1 instances[0].listenPort'], 'at most 65535'],
		['instances: [{name: a, listenPort: 9001.5}]', ['1 instances[0].listenPort'], 'whole number'],
		['instances: [{name: a, listenPort: .inf}]', ['1 instances[0].listenPort'], 'number'],
		['instances: [{name: a, listenPort: ~}]', ['1 instances[0].listenPort'], 'has no value'],
		['instances: [{name: a/b, listenPort: 9001}]', ['1 instances[0].name'], 'slash'],
		['instances: {name: a}', ['1 instances'], 'a list'],
		[`${two}    allow: [10.0.0.0/8, nonsense]\n`, ['6 instances[1].allow[1]'], '10.0.0.0/8'],
		[`${two}    methods: [GET, TRACE]\n`, ['6 instances[1].methods[1]'], 'is never forwarded: leave it out'],
		[`${two}    healthCheck: {path: up}\n`, ['6 instances[1].healthCheck.path'], 'is not a path: begin it with /'],
		[`${two}instances: []\n`, ['6 '], 'a second time'],
		['a: {b: 1\nc: 2', ['2 '], 'not YAML'],
		['a:\n\t- b\n', ['2 '], 'use blanks'],
		[`${two}---\n${two}`, ['6 '], 'keep everything in one'],
		['instances: !!python/object:os.system []', ['1 '], 'tag'],
		[`x: &x {name: a}\n${two}    <<: *x\n`, ['7 instances[1]'], 'write the keys out'],
		['instances: *nope', ['1 instances'], '*nope'],
		['? [a]\n: b\n', ['1 '], 'key: value'],
		['', ['1 '], 'empty'],
		['just a text', ['1 '], 'keys and values'],
		['parameters: {instance.execute.external: maybe}', ['1 parameters["instance.execute.external"]'], 'true or false'],
		['parameters: {instance.execute.external: yes}', ['1 parameters["instance.execute.external"]'], 'true or false'],
		['parameters: {instance.exec.external: true}', ['1 parameters["instance.exec.external"]'], 'did you mean instance.execute.external'],
		['listen: {host: 0.0.0.0}', ['1 listen.host'], 'lan: true'],
		['listen: {host: example}', ['1 listen.host'], '127.0.0.1'],
		['listen: {limits: {conections: 1}}', ['1 listen.limits.conections'], 'did you mean connections?'],
		['listen: {port: 9001}\ninstances: [{name: a, listenPort: 9001}]', ['2 instances[0].listenPort'], 'the server itself (line 1)']
	])('%j', async (text, at, fix) => {
		expect(await places(text)).toEqual(at)
		expect((await refusal(text)).message).toContain(fix)
	})

	it('and all of them at once, in the order of the file', async () => {
		const error = await refusal(`listen: {prt: 1}\ninstances:\n  - name: a\n    listenPort: x\n  - nam: b\n`)
		expect(error.details.problems?.map(({line}) => line)).toEqual([1, 4, 5, 5, 5])
		expect(error.code).toBe('invalid_argument')
		expect(error.message).toContain('5 mistakes')
		expect(error.message).toMatch(/cordon-\d+\.yaml:4: instances\[0\]\.listenPort /)
	})

	it('with both lines where two instances collide', async () => {
		const text = `${two}  - {name: edl, listenPort: 9002}\n`
		expect(await problems(text)).toMatchObject([
			{line: 6, key: 'instances[2].name', problem: expect.stringContaining('the instance edl in line 2')},
			{line: 6, key: 'instances[2].listenPort', problem: expect.stringContaining('the instance taxii in line 5')}
		])
	})

	it('also where two spellings are the same name', async () => {
		expect(await places('instances:\n- {name: "caf\u00e9", listenPort: 1}\n- {name: "cafe\u0301", listenPort: 2}\n')).toEqual([
			'3 instances[1].name'
		])
	})

	it('where a certificate meets the route', async () => {
		const text = `parameters: {instance.execute.external: true}\n${two}    certificate: PEM\n`
		expect(await places(text)).toEqual(['7 instances[1].certificate'])
		expect((await read(text.replace('true', 'false'))).instances).toHaveLength(2)
	})

	it('where the network could use an instance without any check, unless that is said', async () => {
		const open = (access: string) =>
			`parameters: {instance.execute.external: true}\nlisten: {lan: true}\ninstances:\n- {name: a, listenPort: 9001${access}}\n`
		expect(await places(open(''))).toEqual(['4 instances[0].access'])
		expect((await read(open(', access: {kind: none}'))).listen.lan).toBe(true)
	})

	it('where a list needs the console', async () => {
		const source = '{kind: file_list, connection: a, guid: b}'
		const builtin = `{kind: builtin, builtin: {service: list, type: ip, sources: [${source}]}}`
		expect(await places(`${two}    program: ${builtin}\n`)).toEqual(['6 instances[1].program.builtin.sources[0].kind'])
	})

	it('but not where something is merely strange: then it is a warning', async () => {
		const {warnings} = await read(`parameters: {instance.execute.external.EDL: true}\n${two}`)
		expect(warnings).toMatchObject([{line: 1, key: 'parameters["instance.execute.external.EDL"]'}])
	})
})

describe('a malicious file', () => {
	it('does not grow with its aliases', async () => {
		const levels = Array.from({length: 9}, (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(',')}]`)
		const started = computedMs()
		expect((await refusal(`a0: &a0 [x]\n${levels.join('\n')}\n`)).message).toContain('too large')
		expect(computedMs() - started).toBeLessThan(5_000)
	})

	it('does not refer to itself', async () => {
		expect((await refusal('instances: &a [*a]\n')).message).toMatch(/nested too deeply|not there/)
	})

	it('changes no prototype', async () => {
		expect(await places('__proto__: {polluted: true}\n')).toEqual(['1 __proto__'])
		expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
	})

	it('is text, and a file', async () => {
		expect((await refusal(Uint8Array.of(0xff, 0xfe, 0x00))).message).toContain('UTF-8')
		await expect(readForwardFile(folder, options)).rejects.toThrow('is a folder')
		await expect(readForwardFile(join(folder, 'none'), options)).rejects.toThrow('is not there')
	})

	it('is read or refused, whatever it is', async () => {
		const word = fc.constantFrom(
			'instances',
			'listen',
			'name',
			'- ',
			': ',
			'{',
			'}',
			'[',
			']',
			'\n',
			'  ',
			'&a',
			'*a',
			'"',
			'1',
			'on',
			'!!x',
			'\t',
			'|',
			'<<',
			'#'
		)
		await fc.assert(
			fc.asyncProperty(fc.array(fc.oneof(word, fc.string({maxLength: 5})), {maxLength: 40}), async words => {
				const path = write(words.join(''))
				await readForwardFile(path, options).catch((error: unknown) => {
					expect(error).toBeInstanceOf(CordonError)
				})
			}),
			{numRuns: 300}
		)
	})
})

describe('a secret', () => {
	const withAccess = (access: string) => `instances:\n- name: a\n  listenPort: 9001\n  access: ${access}\n`

	function secretFile(name: string, text: string, mode = 0o600) {
		mkdirSync(join(folder, 'secrets'), {recursive: true})
		writeFileSync(join(folder, 'secrets', name), text)
		chmodSync(join(folder, 'secrets', name), mode)
		return `secrets/${name}`
	}

	it('may stand in a file that only its owner can read', async () => {
		const text = withAccess('{kind: basic, users: [{name: ann, password: "pass:word"}]}')
		expect((await read(text, 0o600)).instances[0]?.access).toEqual({
			kind: 'basic',
			realm: 'Cordon',
			users: [{name: 'ann', verifier: 'hash of pass:word'}]
		})
		const error = await refusal(text, 0o640)
		expect(error.details.problems).toMatchObject([{line: 4, key: 'instances[0].access.users[0].password'}])
		expect(error.message).toContain('chmod 600')
		expect(JSON.stringify([error.message, error.details])).not.toContain('pass:word')
	})

	it.each([
		['{kind: bearer, tokens: [0123456789abcdef-canary]}', 'instances[0].access.tokens'],
		['{kind: hmac, signingKey: canary}', 'instances[0].access.signingKey']
	])('is refused in a file that others can read: %s', async (access, key) => {
		const error = await refusal(withAccess(access), 0o644)
		expect(error.details.problems).toMatchObject([{key}])
		expect(error.message).not.toContain('canary')
		await read(withAccess(access), 0o600)
	})

	it('comes from files of its own', async () => {
		const password = secretFile('password', ' blanks count: yes \nnot this line\n')
		const tokens = secretFile('tokens', '# firewalls\n0123456789abcdef\n\nfedcba9876543210\n')
		const key = secretFile('key', 'signing key\n')
		const rule = async (access: string) => (await read(withAccess(access))).instances[0]?.access
		expect(await rule(`{kind: basic, users: [{name: ann, passwordFile: ${password}}]}`)).toMatchObject({
			users: [{verifier: 'hash of  blanks count: yes '}]
		})
		expect(await rule(`{kind: bearer, tokenFile: ${tokens}}`)).toMatchObject({
			verifiers: ['9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f', expect.stringMatching(/^[0-9a-f]{64}$/)]
		})
		expect(await rule(`{kind: hmac, preset: github, signingKeyFile: ${key}}`)).toMatchObject({key: 'signing key'})
		const pipe = join(folder, 'secrets', 'slow')
		execFileSync('mkfifo', ['-m', '600', pipe])
		// What is written waits for the reader, however late it comes.
		const kept = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
		const writer = openSync(pipe, 'w')
		setTimeout(() => {
			writeFileSync(writer, 'late key\n')
			closeSync(writer)
		}, 100)
		expect(await rule(`{kind: hmac, preset: github, signingKeyFile: ${pipe}}`)).toMatchObject({key: 'late key'})
		closeSync(kept)
	})

	it('is refused from a file that others can read, is empty or is not there', async () => {
		const open = secretFile('open', 'x', 0o644)
		const empty = secretFile('empty', '\n')
		execFileSync('mkfifo', ['-m', '600', join(folder, 'secrets', 'pipe')])
		const file = (path: string) => withAccess(`{kind: basic, users: [{name: ann, passwordFile: ${path}}]}`)
		for (const [path, why] of [
			[open, 'chmod 600'],
			[empty, 'without a password'],
			['secrets/pipe', 'without a password'],
			['secrets/none', 'is not there']
		] as const)
			expect((await refusal(file(path))).message).toContain(why)
	})

	it('may come as a credential of a systemd service, whose bits show an access list', async () => {
		const password = secretFile('credential', 'secret\n', 0o440)
		const path = write(withAccess(`{kind: basic, users: [{name: ann, passwordFile: ${password}}]}`))
		const owner = {...options.owner, credentials: join(folder, 'secrets')}
		expect((await readForwardFile(path, {...options, owner})).instances).toHaveLength(1)
		await expect(readForwardFile(path, options)).rejects.toThrow('chmod 600')
	})

	it('is given once and whole', async () => {
		const hash = `scrypt$15$8$1$${'a'.repeat(22)}$${'b'.repeat(43)}`
		const users = (user: string) => withAccess(`{kind: basic, users: [${user}]}`)
		expect((await read(users(`{name: ann, passwordHash: ${hash}}`))).instances[0]?.access).toMatchObject({users: [{name: 'ann', verifier: hash}]})
		expect(await places(users('{name: ann}'))).toEqual(['4 instances[0].access.users[0]'])
		expect(await places(users(`{name: ann, passwordHash: ${hash}, passwordFile: x}`))).toEqual(['4 instances[0].access.users[0].passwordHash'])
		expect(await places(users(`{name: ann, passwordHash: ${hash}}, {name: ann, passwordHash: ${hash}}`))).toEqual([
			'4 instances[0].access.users[1].name'
		])
		expect((await refusal(users('{name: ann, passwordHash: plain}'))).message).toContain('hash-password')
		expect(await places(withAccess('{kind: bearer}'))).toEqual(['4 instances[0].access'])
		expect(await places(withAccess('{kind: hmac}'))).toEqual(['4 instances[0].access'])
		expect(await places(withAccess('{kind: certificate}'))).toEqual(['4 instances[0].access'])
		expect(await places(withAccess('{kind: certificate, authorities: nonsense}'))).toEqual(['4 instances[0].access.authorities'])
	})
})
