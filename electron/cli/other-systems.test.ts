/** The examples for other systems: their requests are taken out of the pages and sent to a console, as each system would. */
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {fieldOf} from '#sandbox/testing/running.ts'

import {startConsoleBench, type ConsoleBench} from './testing/console.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const reason = 'Beaconing "C2"'
let bench: ConsoleBench
let address = ''
let token = ''

beforeAll(async () => {
	bench = await startConsoleBench({computers: 60, seed: 'others'})
	const {doors} = bench.app.deps
	address = (await doors.set({on: true, port: 0}, 'cli')).address ?? ''
	token = doors.tokens.create({name: 'others', scope: 'change', connections: ['lab']}, 'cli').token
})

afterAll(() => bench.stop())

interface Wanted {
	method: string
	url: string
	headers: Readonly<Record<string, string>>
	body?: string
}

function exampleOf(page: string) {
	return /^```\w*\n([^]*?)^```/m.exec(readFileSync(join(docs, page), 'utf8'))?.[1] ?? ''
}

type Requests = (text: string, computer: string) => Wanted[]

interface Step {
	type: string
	on_completion?: string
	targets?: string[]
	commands?: {command: string; headers?: Record<string, string[]>; content?: string}[]
}

/** Variables are put in as they are; the address is put before the path. */
const soarca: Requests = (text, computer) => {
	const filled = text.replaceAll('__computer__:value', computer).replaceAll('__token__:value', token)
	const document = JSON.parse(filled) as {
		workflow_start: string
		workflow: Record<string, Step>
		target_definitions: Record<string, {address: {url: string[]}; authentication_info: string}>
		authentication_info_definitions: Record<string, {token: string}>
	}
	const wanted: Wanted[] = []
	for (let id: string | undefined = document.workflow_start; id !== undefined; id = document.workflow[id]?.on_completion)
		for (const {command, headers = {}, content} of document.workflow[id]?.commands ?? []) {
			const [method = '', path = ''] = command.split(' ')
			const target = document.target_definitions[document.workflow[id]?.targets?.[0] ?? '']
			const bearer = document.authentication_info_definitions[target?.authentication_info ?? '']?.token ?? ''
			const plain = Object.fromEntries(Object.entries(headers).map(([name, [value = '']]) => [name, value]))
			const all = {...plain, authorization: `Bearer ${bearer}`}
			wanted.push({method, url: `${target?.address.url[0]}${path}`, headers: all, ...(content !== undefined && {body: content})})
		}
	return wanted
}

const shuffle: Requests = (text, computer) => {
	const quoted = JSON.stringify(reason.replaceAll('"', '')).slice(1, -1)
	const filled = text.replaceAll('$exec.hostname', computer).replaceAll('$exec.title', quoted).replaceAll('$cordon_token', token)
	const actions = JSON.parse(filled) as {name: string; parameters: {name: string; value: string}[]}[]
	return actions.map(({name: method, parameters}) => {
		const {url = '', headers = '', body} = Object.fromEntries(parameters.map(one => [one.name, one.value]))
		const lines = headers.split('\n').map(line => line.split(': '))
		return {method, url, headers: Object.fromEntries(lines) as Record<string, string>, ...(body !== undefined && {body})}
	})
}

const n8n: Requests = (text, computer) => {
	const alert: Readonly<Record<string, string>> = {hostname: computer, title: reason}
	const field = /\{\{ (JSON\.stringify\()?\$\('Alert'\)\.first\(\)\.json\.(\w+)\)? \}\}/g
	const evaluated = (expression: string) =>
		expression.slice(1).replaceAll(field, (_all, json: string | undefined, name: string) => {
			const value = alert[name] ?? ''
			return json === undefined ? value : JSON.stringify(value)
		})
	const {nodes} = JSON.parse(text) as {nodes: {parameters: {method: string; url: string; jsonBody?: string}}[]}
	return nodes.map(({parameters: {method, url, jsonBody}}) => ({
		...{method, url: evaluated(url), headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'}},
		...(jsonBody !== undefined && {body: evaluated(jsonBody)})
	}))
}

const xsoar: Requests = (text, computer) =>
	text
		.trim()
		.split('\n')
		.map(line => {
			const filled = line.replaceAll('${incident.hostname}', computer).replaceAll('${token}', token)
			const given = [...filled.matchAll(/(\w+)=(?:`([^`]*)`|(\S+))/g)].map(([, name = '', long, short]) => [name, long ?? short])
			const {method = '', url = '', headers = '{}', body} = Object.fromEntries(given) as Record<string, string | undefined>
			const type = body === undefined ? {} : {'content-type': 'application/json'}
			return {method, url, headers: {...(JSON.parse(headers) as object), ...type}, ...(body !== undefined && {body})}
		})

test.each([
	['soarca.md', soarca],
	['shuffle.md', shuffle],
	['n8n.md', n8n],
	['xsoar.md', xsoar]
] as const)('%s isolates a computer and waits for it', async (page, requests) => {
	const {
		computers: [guid = ''],
		names: [name = '']
	} = fieldOf(bench.sandbox)
	const answers: string[] = []
	for (const {method, url, headers, body} of requests(exampleOf(page), name)) {
		const at = url.replace('http://127.0.0.1:4810', address)
		expect(at).not.toBe(url)
		const answer = await fetch(at, {method, headers, ...(body !== undefined && {body: Buffer.from(body)})})
		answers.push(`${answer.status} ${await answer.text()}`)
	}
	expect(answers).toEqual([expect.stringMatching(/^200 .*pending_start/s), expect.stringMatching(/^200 .*isolated/s)])
	const {fleet} = bench.sandbox.world
	const host = fleet.find(guid)
	expect(host && fleet.isolation(host).status).toBe('isolated')
})

test('the playbook for SOARCA is one that it runs', async () => {
	const {out} = await bench.cordon(['playbook', 'check', bench.file('soarca.json', exampleOf('soarca.md'))])
	expect(out).toContain('CACAO-valid')
	expect(out).toContain('SOARCA-portable')
})
