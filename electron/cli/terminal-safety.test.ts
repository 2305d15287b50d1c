/** Foreign names never reach a terminal as control sequences, in any output format. */
import {spawnSync} from 'node:child_process'
import {join} from 'node:path'

import {createForwardLog} from './forward-run.ts'
import {recordText, tableText} from './terminal-table.ts'
import type {RunOptions} from './testing/run.ts'
import {serviceBench} from './testing/service.ts'

/** Writes the clipboard, sets the title, colours, clears the screen, moves up, reverses the reading order, adds a line. */
const evil = 'x\u001b]52;c;cm0gLXJm\u0007\u001b]0;t\u001b\\\u001b[31m\u009b2J\u001bM\u202egnp.exe\nfake line\r'

/** Everything except line ends and plain or letter characters. */
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

let guid: string

const bench = serviceBench({computers: 40, seed: 'evil'}, () => {
	const {hosts, groups, policies, lists} = bench.sandbox.world.tenant
	for (const named of [...groups, ...policies, ...lists]) Object.assign(named, {name: `${evil}${named.name}`})
	for (const host of hosts) Object.assign(host, {hostname: `${evil}${host.hostname}`})
	guid = hosts.find(({os}) => !/Server/.test(JSON.stringify(os)))?.guid ?? hosts[0]?.guid ?? ''
})

function cordon(argv: string[], options: RunOptions = {terminal: 100}) {
	return bench.cordon(argv, options)
}

describe('a name with control sequences', () => {
	const commands = () => [
		['svc_get_computers', '--limit', '5'],
		['svc_get_computer_activity', '--q', 'x'],
		['svc_get_computer_trajctory', guid],
		['svc_get_groups'],
		['svc_get_policies'],
		['svc_get_simple_custom_detections'],
		['svc_get_computer_by_connector', guid],
		['svc_get_group', bench.sandbox.world.tenant.groups[0]?.guid ?? ''],
		['svc_put_computers_isolation', guid, '--reason', 'beaconing', '--confirm', 'no such name'],
		['svc_delete_computers_isolation', guid, '--reason', 'clean'],
		['log', 'note', evil],
		['log'],
		['log', '--limit', '50', '--jsonl'],
		['log', 'handover'],
		['log', 'export', '--format', 'jsonl'],
		['log', 'export', '--format', 'csv'],
		['log', 'export', '--format', 'md'],
		['undo', 'list'],
		['incidents', 'open', evil],
		['incidents', 'list'],
		['job', 'list'],
		['svc_get_nothing' + evil],
		['connections', 'test', evil]
	]

	it('is shown as code points in every output, and none of its bytes is written', async () => {
		let shown = 0
		for (const command of commands()) {
			const {out, err} = await cordon(command)
			expect({command, out: dangerous.exec(out), err: dangerous.exec(err)}).toEqual({command, out: null, err: null})
			shown += Number(`${out}${err}`.includes('U+001B') || `${out}${err}`.includes(String.raw`\u001b`))
		}
		// The others are refused before a name is read.
		expect(shown).toBeGreaterThan(12)
	})

	it('keeps its value in JSON', async () => {
		const {out} = await cordon(['svc_get_computer_by_connector', guid, '--json'])
		expect(out).not.toMatch(dangerous)
		expect(JSON.parse(out)).toMatchObject({data: {hostname: expect.stringContaining(evil)}})
	})

	it('is written as it is into a file', async () => {
		const {out} = await cordon(['log', 'export', '--format', 'jsonl'], {})
		expect(out.split('\n').some(line => line !== '' && JSON.parse(line).message.includes('\u202e'))).toBe(true)
	})

	it('moves no column of a table, and adds no line to it', () => {
		const rows = [
			['one', evil, 'a'],
			['two', 'plain', 'b']
		]
		const lines = tableText({columns: ['A', 'B', 'C'], rows}, null).split('\n')
		expect(lines).toHaveLength(3)
		expect(lines.map(line => line.search(/\S$/))).toEqual([lines[0]?.length, lines[0]?.length, lines[0]?.length].map(n => (n ?? 0) - 1))
		expect(recordText({columns: ['A', 'B'], rows: [['one', evil]]}, null).split('\n')).toHaveLength(2)
	})
})

it('logs show it as code points, and keep its value', () => {
	const {href} = new URL('../core/base/log.ts', import.meta.url)
	const script = `import { createProgramLog, keepLogTail } from '${href}';
    const [, text] = process.argv;
    createProgramLog({}).warn({ name: text }, text);
    createProgramLog({ destination: keepLogTail().destination }).warn(text);`
	const {stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', script, evil], {encoding: 'utf8'})
	let forwarded = ''
	const log = createForwardLog({json: true, write: text => (forwarded += text) !== '', now: () => 0})
	log.note('info', evil, {evil})
	log.flush()
	const lines = `${stderr}${forwarded}`.trim().split('\n')
	expect(lines.map(line => JSON.parse(line)).map(({msg, message}) => msg ?? message)).toEqual([evil, evil, evil])
	expect(lines.filter(line => dangerous.test(line))).toEqual([])
})

it('a table of a million rows is written', () => {
	const row = ['FIN-LT-0231', 'windows']
	const rows = Array.from({length: 1_000_000}, () => row)
	expect(tableText({columns: ['Name', 'System'], rows}, 80).length).toBeGreaterThan(20_000_000)
})

it.runIf(process.platform !== 'win32')('a FIFO as key file is refused at once', async () => {
	const fifo = join(bench.folder, 'fifo')
	expect(spawnSync('mkfifo', ['-m', '600', fifo]).status).toBe(0)
	const {code, err} = await cordon(['connections', 'add', 'other', '--server', bench.sandbox.url, '--client-id', 'x', '--api-key-file', fifo])
	expect([code, err]).toEqual([2, expect.stringContaining('give --api-key-file -')])
})
