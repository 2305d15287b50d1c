import {Readable} from 'node:stream'

import fc from 'fast-check'
import {catalogue} from '#shared/commands/catalogue.ts'
import {CordonError} from '#contract/errors.ts'

import {readInvocation, wantsMode, readSince} from './argv.ts'
import {completionCommands} from './completion-words.ts'
import {askSecret, readSecretFile} from './key.ts'
import {globalOptions, subcommands} from './subcommands.ts'
import {makeHost} from './testing/run.ts'

const guid = 'd7fbcdb6-0a14-4e39-867e-02f5e1649497'

function refusal(...argv: string[]) {
	try {
		readInvocation(argv)
	} catch (error) {
		if (error instanceof CordonError) return error
		throw error
	}
	throw new Error(`accepted: ${argv.join(' ')}`)
}

describe('the words of a shell', () => {
	it('become a command with its arguments, wherever the general options stand', () => {
		for (const argv of [
			['--json', '--profile', '/p', 'svc_get_computers', '--limit', '10', '--hostname=FIN-'],
			['svc_get_computers', '--hostname', 'FIN-', '--profile=/p', '--limit=10', '--json'],
			['!svc_get_computers', '--limit', '10', '--json', '--hostname', 'FIN-', '--profile', '/p']
		]) {
			expect(readInvocation(argv)).toMatchObject({
				kind: 'command',
				spec: {name: 'svc_get_computers'},
				args: {limit: '10', hostname: 'FIN-'},
				globals: {profile: '/p'}
			})
		}
	})

	it('take the main argument without its name, and repeated arguments', () => {
		expect(readInvocation(['svc_get_computer_trajectory', guid])).toMatchObject({
			spec: {name: 'svc_get_computer_trajctory'},
			args: {connector_guid: guid}
		})
		expect(readInvocation(['svc_get_policies', '--name', 'a, b', '--name', 'c'])).toMatchObject({args: {name: ['a, b', 'c']}})
	})

	it('take only a number after --wait', () => {
		const wait = (...argv: string[]) => {
			const read = readInvocation(['svc_get_computers_isolation', '--status', 'isolated', ...argv])
			return read.kind === 'command' && [read.options.wait, read.args['connector_guid']]
		}
		expect(wait('--wait', '30', guid)).toEqual([30, guid])
		expect(wait('--wait=30', guid)).toEqual([30, guid])
		expect(wait('--wait', guid)).toEqual([600, guid])
		expect(wait(guid, '--wait')).toEqual([600, guid])
	})

	it.each([
		[['svc_get_computer'], 'unknown_command', 'command', 'did you mean svc_get_computers?'],
		[['svc_get_computers', '--hostnme', 'x'], 'usage', 'hostnme', 'did you mean --hostname?'],
		[['--bogus'], 'usage', 'bogus', 'cordon has no option --bogus'],
		[['--conection', 'Lab', 'computers'], 'usage', 'conection', 'cordon has no option --conection: did you mean --connection?'],
		[['svc_get_computers', '--limit', 'ten'], 'invalid_argument', 'limit', 'whole number'],
		[['svc_get_computers', '--limit', '1', '--limit', '2'], 'usage', 'limit', 'more than once'],
		[['svc_get_computers', '--limit'], 'usage', 'limit', 'needs a value'],
		[['svc_get_computers', '--hostname', '--json'], 'usage', 'hostname', '--hostname=--json'],
		[['svc_get_computers', 'FIN-'], 'usage', undefined, 'does not take the word "FIN-"'],
		[['svc_get_group'], 'usage', 'group_guid', 'needs group_guid'],
		[['isolate'], 'usage', 'connector_guid', 'isolate needs a computer: give its name or its GUID'],
		[['svc_get_group', guid, guid], 'usage', undefined, 'takes one word'],
		[['svc_get_group', guid, '--group_guid', guid], 'usage', 'group_guid', 'more than once'],
		[['svc_get_version', '--all'], 'usage', 'all', 'no option --all'],
		[['svc_get_version', '--json', '--jsonl'], 'usage', 'json', 'choose one'],
		[['svc_get_version', '--json=yes'], 'usage', 'json', 'takes no value'],
		[['svc_get_version', '-x'], 'usage', undefined, 'two dashes'],
		[['svc_get_version', '--server', 'https://x'], 'usage', 'client-id', '--client-id'],
		[['svc_get_version', '--server', 'https://x', '--client-id', 'a'], 'usage', 'api-key-file', '--api-key-file'],
		[['svc_get_version', '--insecure'], 'usage', 'server', 'belong to --server'],
		[['svc_get_version', '--max-wait', '1.5'], 'usage', 'max-wait', 'whole number'],
		[['svc_get_computers_isolation', guid, '--reveal'], 'usage', 'reveal', 'needs a reason: give --reason="…".'],
		[['svc_get_computers_isolation', guid, '--wait', '5'], 'usage', 'wait', 'give --status=isolated'],
		[['connections'], 'usage', undefined, 'needs one of list, add, edit, test, export'],
		[['connections', 'add', 'x'], 'usage', 'server', '--server URL'],
		[['log', 'audit', '--server', 'EU', '--client-id', 'a', '--api-key-file', 'b'], 'usage', 'server', 'leave out --server'],
		[['connections', 'remove'], 'usage', 'name', 'needs NAME'],
		[['playbook', 'answer', 'yes'], 'usage', 'answer', 'write cordon playbook answer RUN ANSWER'],
		[['log', 'export', '--format', 'xml'], 'usage', 'format', 'jsonl, csv'],
		[['completion', 'tcsh'], 'usage', 'shell', 'bash, zsh, fish']
	] as const)('%j is refused with the way out', (argv, code, field, text) => {
		const error = refusal(...argv)
		expect([error.code, error.details.field]).toEqual([code, field])
		expect(error.message).toContain(text)
	})

	it.each(['--api-key', '--api-key=secret-canary', '--password', '--token=secret-canary'])('never bring a secret: %s', flag => {
		const error = refusal('svc_get_version', flag, 'secret-canary')
		expect(error.code).toBe('usage')
		expect(error.message).not.toContain('canary')
		expect(error.message).toContain('--api-key-file')
	})

	it('ask for help and for the version', () => {
		expect(readInvocation([])).toEqual({kind: 'help', about: []})
		expect(readInvocation(['svc_get_group', '-h'])).toEqual({kind: 'help', about: ['svc_get_group']})
		expect(readInvocation(['--version'])).toEqual({kind: 'version'})
	})

	it('choose the form of the output, even when nothing else is understood', () => {
		expect(wantsMode(['nonsense', '--json'])).toBe('json')
		expect(wantsMode(['a', '--', '--json'])).toBe('text')
	})

	it('keep every possible value of an argument', () => {
		const text = fc.string({minLength: 1, unit: 'binary'}).filter(value => value.trim() !== '')
		fc.assert(
			fc.property(text, fc.array(text, {minLength: 2, maxLength: 4}), (one, several) => {
				const named = readInvocation(['svc_get_groups', `--name=${one}`])
				expect(named).toMatchObject({args: {name: one}})
				const repeated = readInvocation(['svc_get_policies', ...several.map(value => `--name=${value}`)])
				expect(repeated).toMatchObject({args: {name: several}})
			})
		)
	})

	it('never fail with anything but a refusal', () => {
		const word = fc.oneof(
			fc.string(),
			fc.constantFrom(...catalogue.map(({name}) => name), '--json', '--limit', '--wait', '--', 'log', 'connections', 'add', '-')
		)
		fc.assert(
			fc.property(fc.array(word, {maxLength: 6}), argv => {
				try {
					readInvocation(argv)
				} catch (error) {
					expect(error).toBeInstanceOf(CordonError)
				}
			})
		)
	})
})

describe('an age or a time', () => {
	const now = Date.parse('2026-01-31T12:00:00Z')

	it('is read as a time in UTC', () => {
		expect(readSince('30m', now)).toBe('2026-01-31T11:30:00.000Z')
		expect(readSince('7d', now)).toBe('2026-01-24T12:00:00.000Z')
		expect(readSince('2026-01-30T10:00:00+02:00', now)).toBe('2026-01-30T08:00:00.000Z')
		expect(() => readSince('yesterday', now)).toThrow(CordonError)
	})
})

it('options of one name take the same, in every command', () => {
	const taken = [...Object.entries(globalOptions), ...subcommands.flatMap(({options}) => Object.entries(options))]
	const known = new Map([['wait', 'number_or_nothing']])
	for (const [name, {takes}] of taken) {
		expect(takes, name).toBe(known.get(name) ?? takes)
		known.set(name, takes)
	}
})

test('help completes every command', () => {
	const word = completionCommands().find(({name}) => name === 'help')?.word
	expect(word).toMatchObject({choices: expect.arrayContaining(['svc_get_version', 'isolate', 'job', 'log'])})
})

test('what is typed hidden: backspace takes a whole sign, Ctrl+U all, and an arrow nothing', async () => {
	for (const typed of ['a😀\u007f\u001b[Db', 'xy\u0015🇩🇪\u007f\u001b[200~ab\u001b[201~'])
		expect(await askSecret(makeHost({typed: [typed]}).host, 'Key: ', 'key')).toBe('ab')
})

test('a key read in pieces keeps a character cut between them', async () => {
	const {host} = makeHost()
	const stdin = Readable.from([Buffer.from([0x6b, 0xc3]), Buffer.from([0xbc])], {objectMode: false}) as unknown as typeof host.stdin
	expect(await readSecretFile({...host, stdin}, '-', 'api-key-file')).toBe('kü')
})
