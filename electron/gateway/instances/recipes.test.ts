import {execFileSync} from 'node:child_process'

import type {ForwarderStatus, InstanceRow, Recipe} from '#contract/instances.ts'
import type {InstanceInput} from '#model/instance.ts'

import {recipesOf} from './recipes.ts'
import {instanceOf} from './testing/definitions.ts'

const server: ForwarderStatus = {
	state: 'running',
	problem: null,
	listen: {host: '0.0.0.0', port: 8443},
	origins: ['https://console.example:8443', 'https://localhost:8443'],
	settings: {
		enabled: true,
		listen: {host: '0.0.0.0', port: 8443},
		lan: true,
		hostnames: ['console.example'],
		trustedProxies: [],
		platformVersion: '6.12'
	},
	hasRoute: true,
	certificate: null,
	connections: 0
}

/** The address of the instance's route. */
const url = 'https://console.example:8443/instance/execute/edl'

function rowOf(input: Partial<InstanceInput>, more: Partial<InstanceRow> = {}): InstanceRow {
	const made = instanceOf({name: 'edl', ...input, listenPort: 9000}, '1')
	const users = made.access.kind === 'basic' ? ['kim'] : []
	const instance = {...made, secrets: {...made.secrets, users}}
	return {
		instance,
		health: {state: 'healthy', reason: null, since: '2026-01-01T00:00:00Z', checkedAt: null},
		exposure: {exposed: true, key: 'instance.execute.external.edl'},
		route: `/instance/execute/${encodeURIComponent(instance.name)}`,
		direct: null,
		warnings: [],
		traffic: {requestsPerSecond: 0, running: 0, total: 0, failures: 0, lastRequest: null},
		...more
	}
}

type ListInput = {type: 'ip' | 'url' | 'domain' | 'sha256'; refreshS?: number}

function listOf({type, refreshS = 300}: ListInput, input: Partial<InstanceInput> = {}): InstanceRow {
	const builtin = {service: 'list' as const, type, refreshS, sources: [{kind: 'text' as const, text: ''}]}
	return rowOf({program: {kind: 'builtin', builtin}, ...input})
}

test('of an indicator export the address of discovery', () => {
	const collections = [{name: 'files', sources: [{kind: 'text' as const, text: ''}]}]
	const row = rowOf({program: {kind: 'builtin', builtin: {service: 'indicators', collections}}})
	expect(recipe(row, 'taxii').text).toMatch(/\/instance\/execute\/edl\/taxii2\/$/)
	expect(recipesOf(listOf({type: 'ip'}), server).some(({kind}) => kind === 'taxii')).toBe(false)
})

function recipe(row: InstanceRow, kind: Recipe['kind'], status = server) {
	const found = recipesOf(row, status).find(one => one.kind === kind)
	if (found === undefined) throw new Error(`There is no recipe ${kind}.`)
	return found
}

test('the route has a form for version 6 and one for version 8', () => {
	expect(recipe(rowOf({}), 'route')).toMatchObject({text: url, note: null})
	expect(recipe(rowOf({}), 'route_v8').text).toBe('https://console.example:8443/xsoar/instance/execute/edl')
})

test.each<[string, InstanceRow, Partial<ForwarderStatus>, string]>([
	['stopped', rowOf({}), {state: 'off', origins: []}, 'does not run'],
	['too old', rowOf({}), {hasRoute: false}, 'has no route'],
	['not exposed', rowOf({}, {exposure: {exposed: false, key: null}}), {}, 'not exposed'],
	['disabled', rowOf({enabled: false}), {}, 'disabled']
])('when it is %s, the route says why it cannot be used', (_case, row, change, note) => {
	const {text, note: said} = recipe(row, 'route', {...server, ...change})
	expect(said).toContain(note)
	expect(text).toBe(url)
})

test('the direct address says who can reach it', () => {
	expect(recipe(rowOf({}), 'direct')).toMatchObject({text: 'http://127.0.0.1:9000', note: expect.stringContaining('Only from this computer')})
	expect(recipe(rowOf({host: '::1'}), 'direct').text).toBe('http://[::1]:9000')
	const open = rowOf({}, {direct: 'http://console.example:9000'})
	expect(recipe(open, 'direct')).toMatchObject({text: 'http://console.example:9000', note: expect.not.stringContaining('Only')})
})

/** Splits a line like a shell: the words for curl. */
function wordsOf(line: string) {
	const script = line.replace(/^curl/, 'printf "%s\\n"')
	return execFileSync('/bin/sh', ['-c', script], {encoding: 'utf8', env: {TOKEN: 'token'}})
		.trimEnd()
		.split('\n')
}

test.each<[InstanceInput['access'], string[]]>([
	[{kind: 'none'}, []],
	[{kind: 'basic'}, ['--user', 'kim']],
	[{kind: 'bearer'}, ['--header', 'Authorization: Bearer token']],
	[{kind: 'bearer', header: 'X-Token'}, ['--header', 'X-Token: token']],
	[{kind: 'certificate', authorities: 'PEM'}, ['--cert', 'client.pem', '--key', 'client.key']]
])('the curl line for access %j holds a placeholder at most', (access, words) => {
	const row = rowOf({access})
	expect(wordsOf(recipe(row, 'curl').text)).toEqual(['--fail', '--cacert', 'cordon-ca.pem', ...words, url])
})

test('an imported certificate needs no authority of ours', () => {
	const certificate = {
		kind: 'imported' as const,
		subject: 'CN=x',
		names: [],
		notBefore: '',
		notAfter: '',
		fingerprint: '',
		authority: null,
		problem: null
	}
	expect(recipe(rowOf({}), 'curl', {...server, certificate}).text).not.toContain('--cacert')
})

test.each(["it's $(id) `id`", 'a b', '!!', 'x"; quit', 'größe', '(a)*'])('the name %j does no harm in any text', name => {
	const encoded = recipe(rowOf({name}), 'route').text.split('/').at(-1) ?? ''
	expect(encoded).toMatch(/^[A-Za-z0-9%._~-]+$/)
	expect(decodeURIComponent(encoded)).toBe(name)
	expect(wordsOf(recipe(rowOf({name}), 'curl').text).at(-1)).toContain(encoded)
	const row = listOf({type: 'ip'}, {name})
	for (const kind of ['panos', 'fortigate', 'fmc', 'checkpoint'] as const) {
		expect(recipe(row, kind).text).not.toMatch(/[$`!';()*]/)
		expect(recipe(row, kind).text).toContain(`/${encoded}/`)
	}
})

test('PAN-OS is told type, address, interval, profile and user', () => {
	const {text, note} = recipe(listOf({type: 'domain'}, {access: {kind: 'basic'}}), 'panos')
	expect(text.split('\n')).toEqual([
		`set external-list cordon-edl type domain url "${url}/panos/domain"`,
		'set external-list cordon-edl type domain recurring five-minute',
		'set external-list cordon-edl type domain certificate-profile cordon',
		'set external-list cordon-edl type domain auth username "kim"',
		'set external-list cordon-edl type domain auth password PASSWORD'
	])
	expect(note).toContain('certificate profile')
})

test('FortiGate is told of a hash list as malware', () => {
	expect(recipe(listOf({type: 'sha256', refreshS: 90}), 'fortigate').text).toBe(
		[
			'config system external-resource',
			'    edit "cordon-edl"',
			'        set type malware',
			`        set resource "${url}/fortigate/sha256"`,
			'        set refresh-rate 2',
			'        set server-identity-check full',
			'    next',
			'end'
		].join('\n')
	)
	expect(recipe(listOf({type: 'url'}), 'fortigate').text).toContain('set category 192')
})

test('the management center gets a checksum address only for short intervals', () => {
	const short = recipe(listOf({type: 'domain', refreshS: 300}), 'fmc').text
	expect(short).toContain(`MD5 URL: ${url}/cisco/dns.md5\nUpdate Frequency: 5 minutes`)
	const long = recipe(listOf({type: 'ip', refreshS: 3600}), 'fmc').text
	expect(long).not.toContain('MD5')
	expect(long).toContain('Update Frequency: 60 minutes')
})

test('a product that does not know such a list gets no recipe', () => {
	const kinds = (row: InstanceRow) => recipesOf(row, server).map(({kind}) => kind)
	expect(kinds(rowOf({}))).toEqual(['route', 'route_v8', 'direct', 'curl'])
	expect(kinds(listOf({type: 'sha256'}))).toEqual(['route', 'route_v8', 'direct', 'curl', 'fortigate', 'checkpoint'])
})

test('a firewall that cannot pass the access control gets a warning', () => {
	const row = listOf({type: 'ip'}, {access: {kind: 'bearer'}})
	for (const kind of ['panos', 'fortigate', 'checkpoint'] as const) {
		expect(recipe(row, kind).note).toContain('cannot pass the access control')
	}
	expect(recipe(row, 'fmc').note).toContain('no field for credentials')
})
