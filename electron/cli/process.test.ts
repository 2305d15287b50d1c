/** Behaviour that needs a separate process: signals, broken pipes, exit codes, shells. */
import {spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {it} from 'vitest'

import {bashScript} from './completion-bash.ts'
import {fishScript} from './completion.ts'
import {completionCommands} from './completion-words.ts'
import {zshScript} from './completion-zsh.ts'
import {ended, entry, start as startAny} from './testing/process.ts'
import {serviceBench} from './testing/service.ts'

const bench = serviceBench({computers: 1500, seed: 'process'})

const start = (...argv: string[]) => startAny(bench.folder, ['--profile', join(bench.folder, 'profile'), ...argv])

describe('the process', () => {
	it('ends with the exit code, its object on stdout and nothing else', async () => {
		const child = start('svc_get_version', '--json', ...bench.service())
		expect(await ended(child)).toBe(0)
		expect(JSON.parse(child.texts.out)).toMatchObject({ok: true})
		expect(child.texts.err).toBe('')
		// Compiled code is kept there, and runs.
		expect(statSync(join(bench.folder, 'cache/cordon')).mode & 0o777).toBe(0o700)
	})

	it('says which Node it needs, and ends', () => {
		const old = `data:text/javascript,Object.defineProperty(process.versions, 'node', {value: '20.20.2'})`
		const {status, stderr} = spawnSync(process.execPath, ['--import', old, entry, 'help'], {encoding: 'utf8'})
		expect([status, stderr]).toEqual([2, 'cordon: Cordon needs Node 24 or newer, and this is Node 20.20.2. Run it with another one.\n'])
	})

	it('of a console ends on a blank passphrase before it opens anything', () => {
		const [file, profile] = [join(bench.folder, 'blank'), join(bench.folder, 'none')]
		writeFileSync(file, ' \n', {mode: 0o600})
		const argv = [join(import.meta.dirname, '../headless.ts'), '--profile', profile, '--passphrase-file', file]
		const {status, stderr} = spawnSync(process.execPath, argv, {encoding: 'utf8'})
		expect([status, stderr, existsSync(profile)]).toEqual([2, expect.stringContaining('empty first line'), false])
	})

	it('ends with 130 on SIGINT, and says so', async () => {
		bench.sandbox.weather.set(['GET /v1/version=hang'])
		bench.sandbox.clearRequests()
		const child = start('svc_get_version', ...bench.service())
		await expect.poll(() => bench.sandbox.requests.length).toBe(1)
		child.kill('SIGINT')
		expect(await ended(child)).toBe(130)
		bench.sandbox.weather.clear()
	})

	it('awaits the answer of a change after one SIGINT, and reports it as unknown after the second', async () => {
		const guid = bench.sandbox.world.tenant.hosts.find(({role}) => role !== 'server')?.guid ?? ''
		bench.sandbox.weather.set(['PUT /v1/computers/*=hang'])
		bench.sandbox.clearRequests()
		const child = start('svc_put_computers_isolation', guid, '--comment', 'Beaconing', '--json', ...bench.service())
		await expect.poll(() => bench.sandbox.requests.some(({method}) => method === 'PUT')).toBe(true)
		child.kill('SIGINT')
		await expect.poll(() => child.texts.err).toContain('its answer is awaited')
		expect(child.exitCode).toBeNull()
		child.kill('SIGINT')
		expect(await ended(child)).toBe(9)
		expect(JSON.parse(child.texts.out)).toMatchObject({ok: false, error: {code: 'outcome_unknown'}})
		bench.sandbox.weather.clear()
	})

	it('stops quietly when its reader is gone', async () => {
		bench.sandbox.clearRequests()
		const child = start('svc_get_computers', '--all', '--jsonl', ...bench.service())
		await once(child.stdout ?? child, 'data')
		child.stdout?.destroy()
		expect(await ended(child)).toBe(0)
		expect(child.texts.err).toBe('')
	})

	it('keeps the exit code of what failed before its reader was gone', async () => {
		const child = start('svc_get_group', '00000000-0000-4000-8000-000000000000', '--json', ...bench.service())
		child.stdout?.destroy()
		expect(await ended(child)).toBe(3)
	})

	it.runIf(process.platform === 'linux')('fails when what it prints is lost, wholly or in part', () => {
		for (const place of ['/dev/full', join(bench.folder, 'part')]) {
			const argv = ['-c', 'ulimit -f 8 && exec "$0" "$1" help >"$2"', process.execPath, entry, place]
			const {status, stderr} = spawnSync('sh', argv, {encoding: 'utf8', env: {XDG_CACHE_HOME: bench.folder}})
			expect([status, stderr]).toEqual([1, expect.stringContaining('The output could not be written')])
		}
	})

	it.runIf(process.platform === 'linux')('runs in a folder that is gone, and as a user who has no name', () => {
		const inGone = 'mkdir -p "$2" && cd "$2" && rmdir "$2" && exec "$0" "$1" --version'
		expect(spawnSync('sh', ['-c', inGone, process.execPath, entry, join(bench.folder, 'gone')]).status).toBe(0)
		if (process.getuid?.() !== 0) return
		const {stderr} = spawnSync('setpriv', ['--reuid=12345', '--clear-groups', process.execPath, entry, 'log'], {encoding: 'utf8', env: {}})
		expect(stderr).toContain('The profile folder cannot be used')
	})

	it('serves the sandbox until it is told to stop', async () => {
		const child = start('sandbox', '--port', '0', '--computers', '30', '--seed', 'x', '--quota', '7', '--json')
		await expect.poll(() => child.texts.out).toContain('\n')
		const ready = JSON.parse(child.texts.out)
		expect(ready).toMatchObject({event: 'ready', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)})
		const answer = await fetch(`${ready.url}/v1/computers`, {headers: {Authorization: `Basic ${btoa(`${ready.client_id}:${ready.api_key}`)}`}})
		expect(answer.headers.get('x-ratelimit-limit')).toBe('7')
		expect(await answer.json()).toMatchObject({metadata: {results: {total: 30}}})
		child.kill('SIGTERM')
		expect(await ended(child)).toBe(0)
	})
})

describe('completion scripts', () => {
	it('suggest only what a word takes', () => {
		const words = new Map(completionCommands().map(({name, word}) => [name, word]))
		for (const name of ['targets remove', 'keys revoke', 'undo apply', 'mcp']) expect(words.get(name)).toEqual({kind: 'free'})
		expect(words.get('playbook check')).toEqual({kind: 'file'})
		expect(fishScript()).toMatch(/'__cordon_is playbook check' -F$/m)
		for (const [name, source] of Object.entries({'incidents reopen': 'closed', isolate: 'hostname'}))
			expect(words.get(name)).toEqual({kind: 'dynamic', source})
	})

	it.for([
		['bash', bashScript()],
		['zsh', zshScript()],
		['fish', fishScript()]
	] as const)('%s reads its script without complaint', ([shell, script], {skip}) => {
		if (spawnSync(shell, ['--version']).error !== undefined) skip(`${shell} is not installed`)
		const file = join(bench.folder, `cordon.${shell}`)
		writeFileSync(file, script)
		const {status, stderr} = spawnSync(shell, ['-n', file], {encoding: 'utf8'})
		expect([status, stderr]).toEqual([0, ''])
	})

	it.for([
		[['svc_get_ver'], 'svc_get_version'],
		[['connections', ''], 'list add edit test export import remove lock unlock'],
		[['connections', 'add', '--environment', 'p'], 'production'],
		[['--profile', '/x', 'svc_get_computers', '--host'], '--hostname'],
		[['svc_get_computers_isolation', '--status', 'is'], 'isolated'],
		[['svc_get_policies', '--product', 'windows,m'], 'windows,mac'],
		[['log', 'ex'], 'export']
	] as const)('bash completes %j', ([words, expected], {skip}) => {
		if (spawnSync('bash', ['--version']).error !== undefined) skip('bash is not installed')
		const list = ['cordon', ...words].map(word => `'${word}'`).join(' ')
		const script = `${bashScript()}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _cordon; echo "\${COMPREPLY[*]}"`
		expect(spawnSync('bash', ['-c', script], {encoding: 'utf8'}).stdout.trim()).toBe(expected)
	})
})
