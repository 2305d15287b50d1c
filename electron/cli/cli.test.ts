import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import type {Sandbox} from '#sandbox/server.ts'
import {CordonError, errorTable} from '#contract/errors.ts'
import {parseExact} from '#model/exact-json.ts'

import {makeAuthority} from '#core/service/api/testing/certificates.ts'
import {openConnectionInventory} from '#core/replicas/computers/replica.ts'

import {readGlobals} from './globals.ts'
import {withSession} from './session.ts'
import {makeHost, run, type RunOptions} from './testing/run.ts'
import {serviceBench, type ServiceBench} from './testing/service.ts'

let sandbox: Sandbox
let {folder, cordon} = {} as ServiceBench // the bench's
let profile: string

const bench = serviceBench({computers: 1500, seed: 'cli'}, () => {
	;({sandbox, folder, cordon} = bench)
	profile = join(folder, 'profile')
	bench.file('wrong', 'not-the-key')
	bench.file('reader', sandbox.readOnlyApiKey)
	writeFileSync(join(folder, 'open'), sandbox.apiKey, {mode: 0o644})
})

beforeEach(() => sandbox.weather.clear())

function service(key: string, clientId = sandbox.clientId) {
	return ['--server', sandbox.url, '--client-id', clientId, '--api-key-file', join(folder, key)]
}

/** Each test says what it expects. */
async function json(...argv: string[]): Promise<ReturnType<typeof JSON.parse>> {
	const {code, out} = await cordon([...argv, '--json'])
	expect(out.trimEnd().split('\n')).toHaveLength(1)
	return {code, ...(parseExact(out) as object)}
}

function isolate(guid: string, ...more: string[]) {
	return json('svc_put_computers_isolation', guid, '--comment', 'Beaconing', ...more)
}

interface Listed {
	connector_guid: string
	hostname: string
	operating_system: string
	isolation?: {available: boolean; status: string}
	last_seen: string
}

/** A computer that answers immediately and is new to the tests. */
const taken = new Set<string>()
async function freshComputer(available = true) {
	const {data} = await json('svc_get_computers --all')
	const online = Date.now() - 5 * 60_000
	const found = (data as Listed[]).find(
		({connector_guid: guid, operating_system: system, isolation, last_seen: seen}) =>
			!taken.has(guid) &&
			!system.includes('Server') &&
			isolation?.available === available &&
			isolation.status === 'not_isolated' &&
			(!available || Date.parse(seen) > online)
	)
	if (found === undefined) throw new Error('the tenant has no such computer')
	taken.add(found.connector_guid)
	return found.connector_guid
}

describe('a command', () => {
	it('prints one object with --json', async () => {
		const answer = await json('svc_get_version')
		expect(answer).toMatchObject({code: 0, ok: true, command: 'svc_get_version', args: {}, data: {version: expect.any(String)}})
		expect(answer.entry).toEqual(expect.any(String))
	})

	it('prints a table that fits, and a sentence, on a terminal', async () => {
		const {out} = await cordon(['svc_get_computers --limit 3'], {terminal: 60})
		for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
		expect(out).toContain('Name')
		expect(out).toContain('3 of 1,500 computers.')
		const unknown = await cordon(['svc_get_computers --limit 3'], {terminal: 0})
		expect(unknown.out).toContain('GUID')
	})

	it('takes a short verb and a host name, and sends nothing where the name is nobody, or several', async () => {
		const {data} = await json('svc_get_computers --all')
		const rows = data as Listed[]
		const byName = Map.groupBy(rows, ({hostname}) => hostname)
		const [several = '', twins = []] = [...byName].find(([, found]) => found.length > 1) ?? []
		const guid = await freshComputer()
		const name = rows.find(row => row.connector_guid === guid && byName.get(row.hostname)?.length === 1)?.hostname ?? ''
		sandbox.clearRequests()
		const done = await json('isolate', name.toLowerCase(), '--comment', 'Beaconing')
		expect(done).toMatchObject({code: 0, command: 'svc_put_computers_isolation', args: {connector_guid: guid}})
		expect(await json('computer', name)).toMatchObject({code: 0, data: {hostname: name}})
		const puts = () => sandbox.requests.filter(({method}) => method !== 'GET').length
		expect(puts()).toBe(1)
		expect(await json('isolate NO-SUCH-HOST --comment x')).toMatchObject({code: 3, error: {code: 'not_found'}})
		const refused = await json('isolate', several, '--comment', 'x')
		expect(refused).toMatchObject({code: 5, error: {code: 'conflict'}})
		for (const {connector_guid: one} of twins) expect(JSON.stringify(refused)).toContain(one)
		// The full name of a command takes GUIDs alone.
		expect(await json('svc_put_computers_isolation', name, '--comment', 'x')).toMatchObject({code: 2})
		expect(puts()).toBe(1)
	})

	it('takes several names or GUIDs, repeated or with commas', async () => {
		const groups: {guid: string; name: string}[] = (await json('groups --all')).data.slice(0, 2)
		for (const given of [groups.map(({name}) => name), groups.map(({guid}) => guid)])
			for (const values of [given, [given.join(', ')]]) {
				const {args} = await json('computers --limit 1', ...values.map(value => `--group_guid=${value}`))
				expect(args).toMatchObject({group_guid: groups.map(({guid}) => guid)})
			}
	})

	it('keeps the sentence out of a pipe', async () => {
		const {out, err} = await cordon(['svc_get_computers --limit 3'])
		expect(out.trimEnd().split('\n')).toHaveLength(4)
		expect(err).toContain('3 of 1,500')
	})

	it('returns exactly the requested number of records, over several pages', async () => {
		const {data} = await json('svc_get_computers --limit 1234')
		expect(new Set((data as Listed[]).map(({connector_guid: guid}) => guid)).size).toBe(1234)
	})

	it('prints one record a line with --jsonl', async () => {
		const {out, code} = await cordon(['svc_get_computers --limit 1100 --jsonl'])
		const lines = out.trimEnd().split('\n')
		expect([code, lines.length]).toEqual([0, 1100])
		expect(JSON.parse(lines[0] ?? '')).toHaveProperty('connector_guid')
	})

	it('prints the first records before the last page is requested', async () => {
		sandbox.clearRequests()
		const pagesAtFirstRecord: number[] = []
		const onOut = () => void pagesAtFirstRecord.push(sandbox.requests.length)
		await cordon(['svc_get_computers --all --jsonl'], {onOut})
		expect(pagesAtFirstRecord[0]).toBeLessThan(sandbox.requests.length)
	})

	it('keeps integers beyond 2^53 exactly', async () => {
		const {out} = await cordon(['svc_get_events --limit 50 --json'])
		const ids = [...out.matchAll(/"id":(\d{17,19})[,}]/g)].map(([, digits]) => digits ?? '')
		expect(ids.length).toBeGreaterThan(0)
		// Rounded ids end in zeros or repeat: an id beyond the precision of a double proves that none passed through one.
		expect(ids.some(digits => BigInt(Number(digits)) !== BigInt(digits))).toBe(true)
	})

	it('sends names with commas whole, by repetition', async () => {
		sandbox.clearRequests()
		await json('svc_get_policies --name', 'Audit, strict', '--name', 'b')
		const [request] = sandbox.requests
		expect(new URLSearchParams(JSON.stringify(request).match(/\?([^"\s]*)/)?.[1] ?? '').getAll('name[]')).toEqual(['Audit, strict', 'b'])
	})

	it('is known by its alias', async () => {
		const guid = await freshComputer()
		expect(await json('svc_get_computer_trajectory', guid)).toMatchObject({code: 0, command: 'svc_get_computer_trajctory'})
	})

	it('works on a service that is not stored, its key read from standard input', async () => {
		const argv = ['svc_get_version', '--server', sandbox.url, '--client-id', sandbox.clientId, '--api-key-file', '-', '--json']
		const {code} = await run(['--profile', join(folder, 'other'), ...argv], {stdin: `${sandbox.apiKey}\n`})
		expect(code).toBe(0)
	})
})

describe('isolation', () => {
	it('goes from requested to confirmed, is compared, waited for, revealed and released', async () => {
		const guid = await freshComputer()
		const isolated = await json('svc_put_computers_isolation', guid, '--unlock_code', 'canary-77', '--comment', 'beaconing')
		expect(isolated).toMatchObject({code: 0, ok: true, args: {unlock_code: '••••••'}})
		const state = (...more: string[]) => json('svc_get_computers_isolation', guid, ...more)
		expect(await state('--status', 'isolated', '--wait', '20')).toMatchObject({code: 0, matches: true})
		expect(await state('--status', 'not_isolated')).toMatchObject({code: 1, ok: true, matches: false})
		expect((await isolate(guid)).error).toMatchObject({code: 'conflict', state: 'isolated'})
		expect(await state('--reveal', '--reason', 'locked out')).toMatchObject({code: 0, unlock_code: 'canary-77'})
		expect(await json('svc_delete_computers_isolation', guid, '--comment', 'clean')).toMatchObject({code: 0, ok: true})
		const log = await cordon(['log export --target', guid])
		expect(log.out).toContain('locked out')
		expect(log.out).toContain('svc_put_computers_isolation')
		expect(log.out).not.toContain('canary-77')
	})
})

describe('guard rules', () => {
	it('ask for the host name of a server: 2 without it or with another one, and nothing is sent', async () => {
		const {data} = await json('svc_get_computers --all')
		const server = (data as Listed[]).find(
			({operating_system: system, isolation}) => system.includes('Server') && isolation?.available === true && isolation.status === 'not_isolated'
		)
		const guid = server?.connector_guid ?? ''
		const isolate = ['svc_put_computers_isolation', guid, '--reason', 'Ransomware', '--ticket', 'INC-7'] as const
		sandbox.clearRequests()
		for (const typed of [[], ['--confirm', 'yes']])
			expect(await json(...isolate, ...typed)).toMatchObject({
				code: 2,
				error: {code: 'confirmation_needed', fix: expect.stringContaining(`--confirm ${server?.hostname}`)}
			})
		expect(await json('svc_put_computers_isolation', guid, '--confirm', server?.hostname ?? '')).toMatchObject({
			code: 2,
			error: {code: 'confirmation_needed', field: 'reason'}
		})
		expect(sandbox.requests.filter(({method}) => method === 'PUT')).toEqual([])
		expect(await json(...isolate, '--confirm', server?.hostname ?? '')).toMatchObject({code: 0, args: {comment: 'Ransomware [INC-7]'}})
		expect(await json('svc_delete_computers_isolation', guid, '--reason', 'clean')).toMatchObject({code: 0})
	})
})

describe('exit codes', () => {
	it.each([
		['2, usage', ['svc_get_computers', '--limit', '0'], 2, 'invalid_argument'],
		['2, no such command', ['svc_get_nothing'], 2, 'unknown_command'],
		['3, no such connection', ['svc_get_version', '--connection', 'nowhere'], 3, 'unknown_connection'],
		['3, not found', ['svc_get_group', '00000000-0000-4000-8000-000000000000'], 3, 'not_found']
	] as const)('%s', async (_name, argv, code, error) => {
		expect(await json(...argv)).toMatchObject({code, ok: false, error: {code: error, retry: 'no'}})
	})

	it('are all explained in help', async () => {
		const {out} = await run(['help'])
		for (const {exit} of Object.values(errorTable)) expect(out.split('Exit codes:')[1]).toMatch(new RegExp(`\\b${exit} [a-z]`))
	})

	it('2, no help on what is not there; words may precede --help', async () => {
		expect(await cordon(['help job bogus'])).toMatchObject({code: 2, out: '', err: expect.stringContaining('"job bogus"')})
		expect((await cordon(['job show 5 --help'])).out).toContain('cordon job show JOB')
	})

	it('2, no connection: both fixes are named', async () => {
		const {code, out} = await run(['--profile', join(folder, 'empty'), 'svc_get_version', '--json'])
		expect([code, JSON.parse(out).error.code]).toEqual([2, 'no_connection'])
		expect(out).toContain('cordon connections add')
		expect(out).toContain('npm start')
	})

	it('1, the service fails', async () => {
		sandbox.weather.set(['GET /v1/version=status:400'])
		expect((await json('svc_get_version')).code).toBe(1)
	})

	it('4, a key that is unknown, lacks permission, or is read-only here', async () => {
		const guid = await freshComputer()
		expect(await json('svc_get_version', ...service('wrong'))).toMatchObject({code: 4, error: {code: 'unauthorized'}})
		const reader = service('reader', sandbox.readOnlyClientId)
		expect(await isolate(guid, ...reader)).toMatchObject({code: 4, error: {code: 'forbidden'}})
		await cordon(['connections lock lab'])
		sandbox.clearRequests()
		expect(await isolate(guid)).toMatchObject({code: 4, error: {code: 'read_only'}})
		expect(sandbox.requests).toHaveLength(0)
		expect((await cordon(['connections unlock lab'])).code).toBe(0)
	})

	it('4, isolation is not allowed for this computer', async () => {
		const guid = await freshComputer(false)
		expect(await isolate(guid)).toMatchObject({code: 4, error: {code: 'isolation_not_allowed'}})
	})

	it('5, conflict', async () => {
		const guid = await freshComputer()
		await isolate(guid)
		expect(await isolate(guid)).toMatchObject({code: 5, error: {code: 'conflict', retry: 'read_first'}})
	})

	it.each([
		['port', '70000'],
		['computers', 'many'],
		['groups', '43'],
		['file-lists', '15'],
		['quota', 'many'],
		['window', '0'],
		['agent-delay', '-1'],
		['weather', 'rain']
	])('2, for a wrong flag of the sandbox, which is named: --%s %s', async (name, value) => {
		const {code, ok, error} = await json('sandbox', `--${name}=${value}`)
		expect([code, ok]).toEqual([2, false])
		expect(error?.message).toContain(name)
	})

	it('6, rate limited, when waiting is not allowed', async () => {
		sandbox.weather.set(['GET /v1/version=429:600'])
		const other = join(folder, 'limited')
		const {code, out} = await run(['--profile', other, 'svc_get_version', ...service('key'), '--max-wait', '0', '--json'])
		expect([code, JSON.parse(out).error.code]).toEqual([6, 'rate_limited'])
		sandbox.weather.set(['GET /v1/file_lists*=429:600'])
		await run(['--profile', other, 'connections', 'add', 'lab', ...service('key')])
		expect((await run(['--profile', other, 'list', 'export', 'Any', '--max-wait', '0'])).code).toBe(6)
	})

	it('9, outcome unknown', async () => {
		const guid = await freshComputer()
		sandbox.weather.set(['PUT *=reset,times:1'])
		expect(await isolate(guid)).toMatchObject({code: 9, error: {code: 'outcome_unknown', retry: 'read_first'}})
	})

	it('70, the log cannot be written: nothing was sent', async () => {
		const broken = join(folder, 'broken')
		mkdirSync(join(broken, 'incidents.db'), {recursive: true})
		sandbox.clearRequests()
		const {code, out} = await run(['--profile', broken, 'svc_get_version', ...service('key'), '--json'])
		expect([code, JSON.parse(out).error.code, sandbox.requests.length]).toEqual([70, 'log_unavailable', 0])
	})

	it('130, interrupted, and the log knows', async () => {
		sandbox.weather.set(['GET /v1/version=hang'])
		const stop = new AbortController()
		sandbox.clearRequests()
		const running = cordon(['svc_get_version --json'], {signal: stop.signal})
		await expect.poll(() => sandbox.requests.length).toBe(1)
		stop.abort(new CordonError('cancelled'))
		const {code, out} = await running
		expect([code, JSON.parse(out).error.code]).toEqual([130, 'cancelled'])
		expect(JSON.stringify((await json('log --limit 1')).data)).toContain('command.failed')
	})
})

describe('keys', () => {
	it('are refused from a file that others can read, and asked for only on a terminal', async () => {
		for (const mode of [0o644, 0o640, 0o620, 0o604, 0o602]) {
			chmodSync(join(folder, 'open'), mode)
			expect((await json('svc_get_version', ...service('open'))).error).toMatchObject({
				field: 'api-key-file',
				message: expect.stringContaining('chmod 600')
			})
		}
		expect((await json('svc_get_version', ...service('missing'))).error?.message).toContain('no such file')
		const asked = await cordon(['connections add x --server', sandbox.url, '--client-id', 'a'])
		const taken = await cordon(['connections add lab --server', sandbox.url, '--client-id', 'a'], {typed: []})
		expect(taken).toMatchObject({code: 2, err: expect.stringMatching(/^cordon: .*is taken/)})
		expect(asked).toMatchObject({code: 2, err: expect.stringContaining('no terminal to ask on')})
	})

	it('appear in nothing that is printed or stored', async () => {
		const outputs = await Promise.all(
			[
				['connections list --json'],
				['connections test --json'],
				['log --json'],
				['svc_get_version --json'],
				['svc_get_version', ...service('wrong')]
			].map(argv => cordon(argv))
		)
		for (const {out, err} of outputs) expect(out + err).not.toContain(sandbox.apiKey)
		for (const name of ['profile.db', 'incidents.db']) expect(readFileSync(join(profile, name)).includes(sandbox.apiKey)).toBe(false)
	})
})

describe('connections, log and incidents', () => {
	it('are listed, tested, and removed', async () => {
		await cordon(['connections add second', ...service('key'), '--environment', 'lab', '--colour', 'red'])
		const {data} = await json('connections list')
		expect(data).toContainEqual(expect.objectContaining({name: 'second', readOnly: true, environment: 'lab', colour: 'red'}))
		expect((await json('svc_get_version')).error).toMatchObject({code: 'usage', field: 'connection'})
		expect(await json('connections test second')).toMatchObject({code: 0, ok: true})
		const copy = join(profile, 'events', `${data.at(-1).id}.db`)
		mkdirSync(join(profile, 'events'), {recursive: true})
		writeFileSync(copy, '')
		expect((await cordon(['connections remove second'])).out).toContain('local data')
		expect(existsSync(copy)).toBe(false)
		expect((await json('svc_get_version')).code).toBe(0)
	})

	it('have their own proxy and authorities, and can be edited', async () => {
		const login = join(folder, 'login')
		writeFileSync(login, 'me:proxy-canary\n', {mode: 0o600})
		const {cert} = await makeAuthority()
		writeFileSync(join(folder, 'ca.pem'), cert)
		const [server, ...rest] = ['--server', 'https://api.example.test', ...service('key').slice(2)]
		const network = ['--proxy', 'http://127.0.0.1:9', '--proxy-login-file', login, '--ca-file', join(folder, 'ca.pem')]
		const added = await cordon(['connections add far', server ?? '', ...rest, ...network])
		expect(added).toMatchObject({code: 0, out: expect.stringContaining('cordon connections test far')})
		expect((await cordon(['connections list'])).out).toMatch(/far .*http:\/\/127\.0\.0\.1:9 +verified, own authorities/)
		const renamed = await json('connections edit far --rename near --proxy direct --colour red')
		expect(renamed).toMatchObject({ok: true, data: {name: 'near', proxy: 'direct', hasProxyLogin: false, colour: 'red'}})
		expect((await cordon(['connections edit near --writable'])).err).toContain('--confirm near')
		expect(await json('connections edit near --ca none')).toMatchObject({ok: true, data: {ca: null}})
		for (const name of ['profile.db', 'incidents.db']) expect(readFileSync(join(profile, name)).includes('proxy-canary')).toBe(false)
		await cordon(['connections remove near'])
	})

	it.each([
		[['edit', 'lab'], 'was given nothing to change'],
		[['edit', 'lab', '--server', 'EU', '--client-id', 'x'], 'leaves the service and the account as they are'],
		[['edit', 'lab', '--ca', '/nonexistent'], 'cannot be read'],
		[['edit', 'lab', '--proxy', 'http://proxy.example'], 'no port'],
		[['edit', 'lab', '--proxy', 'http://me:x@proxy.example:1'], 'must not hold a user name']
	])('%j is refused with the reason', async (argv, why) => {
		const {code, err} = await cordon(['connections', ...argv])
		expect(code).not.toBe(0)
		expect(err).toContain(why)
	})

	it('obey the configuration of an administrator, also when it is broken', async () => {
		const file = join(folder, 'managed.json')
		const environment = {CORDON_MANAGED: file}
		writeFileSync(file, JSON.stringify({connections: {readOnly: true, servers: [sandbox.url]}}), {mode: 0o644})
		const refused = await cordon(['connections edit lab --writable --json'], {environment})
		expect(refused.code).toBe(4)
		expect(parseExact(refused.out)).toMatchObject({
			error: {code: 'managed', field: 'readOnly', message: expect.stringContaining('set by your administrator')}
		})
		const elsewhere = ['connections', 'add', 'x', '--server', 'EU', ...service('key').slice(2)]
		expect((await cordon(elsewhere, {environment})).err).toContain('not a server')
		expect((await cordon(['connections list'], {environment})).out).toMatch(/lab .*read-only/)
		writeFileSync(file, '{')
		const edit = (options?: RunOptions) => cordon(['connections edit lab --colour red'], options)
		expect((await edit({environment})).err).toContain('is not JSON')
		rmSync(file)
		expect((await edit({environment})).err).toContain('not there')
		expect((await edit()).code).toBe(0)
		const told = await cordon(['log --text', 'Managed configuration', '--json'])
		for (const word of ['applied', 'cannot be used', 'taken away']) expect(told.out).toContain(word)
	})

	it('move to another profile in a file, with their keys when it is sealed', async () => {
		const seal = join(folder, 'seal')
		writeFileSync(seal, 'correct horse battery\n', {mode: 0o600})
		const plain = await cordon(['connections export'])
		expect(plain.out).toContain('"lab"')
		expect(plain.out).not.toContain(sandbox.apiKey)
		expect((await cordon(['connections export --seal-file', seal])).err).toContain('--reason')
		const sealed = await cordon(['connections export --seal-file', seal, '--reason', 'a new laptop'])
		expect(sealed.out).not.toMatch(/"lab"/)
		const file = join(folder, 'sealed.json')
		writeFileSync(file, sealed.out)
		const other = ['--profile', join(folder, 'other')]
		const wrong = await run([...other, 'connections', 'import', file, '--seal-file', join(folder, 'wrong')])
		expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('does not open this file')])
		const taken = ['connections', 'import', file, '--seal-file', seal]
		expect((await run([...other, ...taken])).out).toContain('1 of 1 added.')
		expect((await run([...other, ...taken])).out).toContain('0 of 1 added.')
		await run([...other, 'connections', 'edit', 'lab', '--rename', 'new'])
		writeFileSync(file, plain.out)
		expect((await run([...other, 'connections', 'import', file])).out).toContain('new is there already: the same service and account.')
		expect((await run([...other, 'svc_get_version'])).code).toBe(0)
		const [lab] = JSON.parse(plain.out).connections
		const two = ['first', 'second'].map(name => ({...lab, name, url: `https://${name}.example.test`}))
		writeFileSync(file, JSON.stringify({...JSON.parse(plain.out), connections: two}))
		const partly = await run([...other, 'connections', 'import', file], {typed: ['key', '']})
		expect([partly.code, partly.out]).toEqual([1, expect.stringMatching(/^first: Added.*\nsecond: .*\n1 of 2 added\.\n$/)])
		// Ctrl+C at the second key.
		const left = await run(['--profile', join(folder, 'left'), 'connections', 'import', file], {typed: ['key']})
		expect([left.code, left.out]).toEqual([130, 'first: Added, read-only.\nsecond: Cancelled.\n1 of 2 added.\n'])
	})

	it('say which stage of the test failed', async () => {
		const {code, out} = await cordon(['connections test', ...service('wrong')])
		expect(code).toBe(4)
		expect(out).toMatch(/✗ failed +Client ID and key/)
		sandbox.weather.set(['GET /v1/version=429:600'])
		const limited = await run(['--profile', join(folder, 'stage'), 'connections', 'test', ...service('key'), '--json'])
		expect([limited.code, JSON.parse(limited.out)]).toMatchObject([6, {error: {code: 'rate_limited', retry: 'later'}}])
	})

	it('join an incident, take notes, and are found again', async () => {
		const opened = await json('incidents open Beaconing --reference INC-7')
		const {id} = opened.data
		await json('svc_get_version --incident', id)
		const note = await json('log note', 'Called the owner', '--incident', id)
		const {data} = await json('log --incident', id)
		const entries = data as {kind: string; id: string}[]
		expect(entries.map(({kind}) => kind)).toEqual(expect.arrayContaining(['command.requested', 'command.succeeded', 'note']))
		expect(entries.at(-1)?.id).toBe(note.entry)
		expect(((await json('log --text owner')).data as unknown[]).length).toBe(1)
		const csv = await cordon(['log export --format csv --incident', id])
		expect(csv.out.trimEnd().split('\n').length).toBeGreaterThan(entries.length)
		expect(await json('incidents close', id)).toMatchObject({code: 0, data: {open: false}})
		const unknown = {code: 3, error: {field: 'incident', fix: expect.stringContaining('incidents list')}}
		for (const line of ['svc_get_version --incident', 'log note x --incident', 'incidents close', 'log --incident'])
			expect(await json(...line.split(' '), 'nonsense')).toMatchObject(unknown)
	})

	it('follow the log as others write it', async () => {
		const stop = new AbortController()
		const seen = Promise.withResolvers<void>()
		const onOut = (out: string) => void (out.includes('seen from outside') && seen.resolve())
		const following = cordon(['log --follow --jsonl --limit 1'], {signal: stop.signal, onOut})
		await cordon(['log note', 'seen from outside'])
		await seen.promise
		stop.abort(new CordonError('cancelled'))
		const {out, code} = await following
		expect(code).toBe(130)
		for (const line of out.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('seq')
	})
})

describe('completion', () => {
	it('finds host names and groups in the local copy, without asking the service', async () => {
		await fillLocalCopy()
		sandbox.clearRequests()
		const hosts = await cordon(['__complete hostname FIN-WS'])
		expect(hosts.out.trimEnd().split('\n').length).toBeGreaterThan(1)
		for (const line of hosts.out.trimEnd().split('\n')) expect(line).toMatch(/^FIN-WS[^\t]*\t/)
		expect((await cordon(['__complete hostname a,FIN-WS'])).out).toMatch(/^a,FIN-WS/)
		expect((await cordon(['__complete group '])).out).toMatch(/^[0-9a-f-]{36}\t/)
		expect((await cordon(['__complete connection '])).out).toBe(`lab\t${sandbox.url}\n`)
		expect(sandbox.requests).toHaveLength(0)
	})

	it('prints nothing without completions', async () => {
		expect(await cordon(['__complete nonsense'])).toEqual({code: 0, out: '', err: ''})
		expect(await run(['--profile', join(folder, 'nowhere'), '__complete', 'hostname'])).toEqual({code: 0, out: '', err: ''})
	})
})

async function fillLocalCopy() {
	const globals = readGlobals(new Map([['profile', [profile]]]))
	await withSession(globals, makeHost().host, 'service', async ({ports, profile: opened}) => {
		const {id} = opened.connections.find('lab')
		const copy = openConnectionInventory({profile, clock: ports.clock, connection: id, client: opened.connections.client(id)})
		await copy.refresh()
		await copy.stop()
	})
}
