/** `npm run bench -- conformance`: the corpus over raw sockets against ours, nginx, HAProxy and Caddy, as a matrix. */
import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {
	judgeMalformed,
	judgeUpstream,
	judgeWellFormed,
	type Subject,
	upstreamCases,
	type Verdict,
	startOrigin
} from '#gateway/forwarder/corpus/testing/judge.ts'
import {malformed} from '#gateway/forwarder/corpus/testing/malformed.ts'
import {wellFormed} from '#gateway/forwarder/corpus/testing/well-formed.ts'
import {startRunning} from '#gateway/forwarder/testing/running.ts'
import {freePort, nginxTemporary, nginxUser, startProgram} from '../forward/lab.ts'
import {endProgram} from '../processes.ts'
import {benchFolder} from '../folder.ts'
import {at} from '../../lib/paths.mjs'

interface Row {
	name: string
	/** Rules of our route, which the others do not have: shown, not judged. */
	isOurs: boolean
	/** Any refusal is fine. */
	mayRefuse: boolean
	run(subject: Subject): Promise<Verdict>
}

interface Group {
	title: string
	rows: readonly Row[]
}

const groups: readonly Group[] = [
	{
		title: 'Malformed requests',
		rows: malformed.map(one => ({
			name: one.name,
			mayRefuse: true,
			isOurs: one.where === 'rules' && !/^(?:TRACE|CONNECT)/.test(one.name),
			run: subject => judgeMalformed(one, subject)
		}))
	},
	{
		title: 'Well-formed requests',
		rows: wellFormed.map(one => ({name: one.name, isOurs: false, mayRefuse: false, run: subject => judgeWellFormed(one, subject)}))
	},
	{
		title: 'Answers of instances',
		rows: upstreamCases.map(one => ({name: one.name, isOurs: false, mayRefuse: one.status >= 500, run: subject => judgeUpstream(one, subject)}))
	}
]

type Column = ReadonlyMap<Row, Verdict>

async function columnOf({subject}: Engine) {
	const column = new Map<Row, Verdict>()
	for (const {rows} of groups) {
		for (const row of rows) column.set(row, await row.run(subject))
	}
	return column
}

const right = '✓'
const wrong = '✗'
const differs = '~'

function markOf(row: Row, verdict: Verdict, isOurs: boolean) {
	if (row.isOurs && !isOurs) return ''
	if (verdict.isRight) return right
	if (isOurs) return wrong
	const isForwarded = verdict.outcome === '→' && /^[a-z0-9-]+: /.test(verdict.problem)
	const isRefused = /^[45]\d\d$/.test(verdict.outcome) && verdict.problem.startsWith('instead of')
	return isForwarded || (isRefused && row.mayRefuse) ? differs : wrong
}

function plain(text: string) {
	return text.replaceAll('|', String.raw`\|`).replaceAll(/[\u0000-\u001f\u007f-\u00ff]/g, '·')
}

function cell(row: Row, verdict: Verdict | undefined, isOurs: boolean) {
	if (verdict === undefined) return ''
	const mark = markOf(row, verdict, isOurs)
	// Our column tells what it must be.
	const isSaid = mark === '' || /^(?:$|instead of)/.test(verdict.problem) || verdict.outcome.startsWith('→ ')
	const text = isSaid ? verdict.outcome : `${verdict.outcome}, ${verdict.problem}`
	return plain(mark + text.replace('→ ', '→'))
}

function line(cells: readonly string[]) {
	return `| ${cells.join(' | ')} |`
}

function headline(engines: readonly Engine[], first: string) {
	const names = engines.map(({name, version}) => `${name} ${version}`.trim())
	return [line([first, ...names]), line([first, ...names].map(() => '---'))]
}

function summary(engines: readonly Engine[], columns: readonly Column[]) {
	const rows = groups.map(({title, rows: cases}) => {
		const judged = columns.map((column, at) => {
			const marks = cases.map(row => {
				const verdict = column.get(row)
				return verdict === undefined ? '' : markOf(row, verdict, at === 0)
			})
			const failed = marks.filter(mark => mark === wrong).length
			const all = marks.filter(mark => mark !== '').length
			return failed === 0 ? `all ${String(all)}` : `${String(all - failed)} of ${String(all)}`
		})
		return line([title, ...judged])
	})
	return [...headline(engines, 'As it must be'), ...rows].join('\n')
}

function matrix(engines: readonly Engine[], columns: readonly Column[]) {
	return groups
		.map(({title, rows}) => {
			const lines = rows.flatMap(row => {
				const cells = columns.map((column, at) => cell(row, column.get(row), at === 0))
				// Rows that all engines pass are only counted above.
				if (cells.length > 1 && cells.every(each => each.startsWith(right))) return []
				return line([plain(row.name.length > 60 ? `${row.name.slice(0, 60)}…` : row.name), ...cells])
			})
			return [`## ${title}`, '', ...headline(engines, 'case'), ...lines].join('\n')
		})
		.join('\n\n')
}

const legend = [
	`${right} as it must be, which our column tells. ${wrong} not. ${differs} refused with another status, or forwarded with other fields than we promise.`,
	'→ arrived at the instance. A number is the status that the client got; `cut` one that is visibly incomplete.',
	'Without a mark: a rule of our route alone. Cases that all handle as they must are only counted.'
].join(' ')

function save(text: string) {
	const file = at('docs', 'forwarder-conformance.md')
	writeFileSync(file, `${text}\n`)
	spawnSync(at('node_modules', '.bin', 'oxfmt'), [file], {stdio: 'ignore'})
}

/** Writes `docs/forwarder-conformance.md` too. Rejects when a cell of ours is red. */
export async function benchConformance() {
	const engines = [await startOurs(), ...(await startOthers())]
	try {
		const columns = await Promise.all(engines.map(columnOf))
		const table = summary(engines, columns)
		const text = [
			'# Conformance of the forwarding server',
			'The same bytes over raw sockets to each forwarder, and an instance behind it that records all. Ours runs as it ships; the others forward everything with the shortest usual configuration. Made by `npm run bench -- conformance`; the cases are in `electron/gateway/forwarder/corpus/`, and `npm test` runs them against ours.',
			table,
			legend,
			matrix(engines, columns)
		].join('\n\n')
		save(text)
		const red = [...(columns[0] ?? [])].filter(([, verdict]) => !verdict.isRight).map(([{name}]) => name)
		if (red.length > 0) throw new Error(`Red in our column: ${red.join(', ')}.`)
		return `${table}\n\nThe whole matrix is in docs/forwarder-conformance.md.`
	} finally {
		for (const engine of engines) await engine.stop()
	}
}

/* The forwarders of the matrix: ours, and the others from Debian with the shortest configuration that forwards everything. */

interface Engine {
	name: string
	version: string
	subject: Subject
	stop(): Promise<void>
}

/** Milliseconds that an engine waits for a silent instance, and that we wait for a silent engine. */
const upstreamMs = 500
const patienceMs = 1500

async function startOurs(): Promise<Engine> {
	const running = await startRunning({timeouts: {firstByteS: upstreamMs / 1000}})
	const {place, origin} = running
	const subject = {place, origin, strips: true, patienceMs}
	return {name: 'Cordon', version: '', subject, stop: () => running.stop()}
}

interface Maker {
	name: string
	version: readonly string[]
	configuration(folder: string, port: number, upstream: number): string
	argv(file: string): readonly string[]
}

const makers: readonly Maker[] = [
	{
		name: 'nginx',
		version: ['-v'],
		argv: file => ['-e', 'stderr', '-c', file],
		configuration: (folder, port, upstream) => `${nginxUser()} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr emerg;
events {}
http { access_log off; ${nginxTemporary(folder)}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${upstream}; proxy_http_version 1.1; proxy_read_timeout ${upstreamMs}ms;
      proxy_set_header Host $host; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }
  } }
`
	},
	{
		name: 'haproxy',
		version: ['-v'],
		argv: file => ['-f', file],
		configuration: (_folder, port, upstream) => `defaults
  mode http
  option forwardfor
  timeout connect 2s
  timeout client 30s
  timeout server ${upstreamMs}ms
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  server one 127.0.0.1:${upstream}
`
	},
	{
		name: 'caddy',
		version: ['version'],
		argv: file => ['run', '--adapter', 'caddyfile', '--config', file],
		configuration: (folder, port, upstream) => `{
  admin off
  auto_https off
  storage file_system ${folder}/caddy
  log {
    output discard
  }
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${upstream} {
    transport http {
      response_header_timeout ${upstreamMs}ms
    }
  }
}
`
	}
]

function versionOf({name, version}: Maker) {
	const {stdout, stderr, error} = spawnSync(name, version, {encoding: 'utf8'})
	return error === undefined ? (/\d+\.\d+\.\d+/.exec(`${stdout} ${stderr}`)?.[0] ?? '') : null
}

async function start(maker: Maker, version: string): Promise<Engine> {
	const folder = benchFolder()
	const origin = await startOrigin()
	const port = await freePort()
	const file = join(folder, maker.name === 'caddy' ? 'Caddyfile' : 'engine.conf')
	writeFileSync(file, maker.configuration(folder, port, origin.port))
	const child = await startProgram(maker.name, [...maker.argv(file)], port)
	const stop = async () => {
		await endProgram(child)
		await origin.stop()
	}
	const subject = {place: {port, authority: null}, origin, strips: false, patienceMs}
	return {name: maker.name, version, subject, stop}
}

/** Starts those that are installed; names the others on stderr. */
async function startOthers() {
	const engines: Engine[] = []
	for (const maker of makers) {
		const version = versionOf(maker)
		if (version === null) process.stderr.write(`${maker.name} is left out: it is not installed.\n`)
		else engines.push(await start(maker, version))
	}
	return engines
}
