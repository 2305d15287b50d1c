/** The same commands, with and without a running console on the profile, print the same and exit alike. */
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'

import {onlineComputer} from '#sandbox/testing/running.ts'
import {CordonError} from '#contract/errors.ts'
import {runCli} from './main.ts'
import {consoleBench} from './testing/console.ts'
import {makeHost, run, type Ran} from './testing/run.ts'
import {serviceBench, type ServiceBench} from './testing/service.ts'

const tenant = {computers: 400, seed: 'both ways'}
const alone = serviceBench(tenant)
const beside = consoleBench(tenant, {busy: false})

test('an input that was interrupted is not taken for a whole one', async () => {
	const edit = ['connections', 'edit', 'lab', '--api-key-file', '-']
	const aborted = AbortSignal.abort(new CordonError('cancelled'))
	expect((await alone.cordon(edit, {typed: [], signal: aborted})).code).toBe(130)
	const read = Promise.withResolvers<void>()
	const half = async function* () {
		yield 'half a key\n'
		read.resolve()
		await new Promise(() => {})
	}
	const {host} = makeHost({left: read.promise})
	const stdin = {iterator: half} as unknown as typeof host.stdin
	expect(await runCli(['--profile', beside.profile, ...edit], {...host, stdin})).toBe(130)
	// Both: their logs are compared below.
	for (const {cordon} of [alone, beside]) expect((await cordon(['svc_get_version'])).code).toBe(0)
})

test('completes where the environment names the profile', async () => {
	const {out} = await run(['__complete', 'connection'], {environment: {CORDON_PROFILE: beside.profile}})
	expect(out).toMatch(/^lab\t/)
})

type Argv = (bench: ServiceBench) => string[]

const host = ({sandbox}: Pick<ServiceBench, 'sandbox'>) => onlineComputer(sandbox)
const words =
	(typed: string, ...more: string[]): Argv =>
	() => [...typed.split(' '), ...more]

/** One after the other, on both profiles. */
const table: [string, Argv][] = [
	['version of the service', words('svc_get_version')],
	['a table', words('svc_get_computers --limit 7')],
	['records a line', words('svc_get_computers --all --jsonl')],
	['one record as JSON', bench => ['svc_get_computer_by_connector', host(bench), '--json']],
	['not found', words('svc_get_computer_by_connector 00000000-0000-4000-8000-000000000000')],
	['an argument that cannot be', words('svc_get_computer_by_connector no-guid --json')],
	['a change without a reason', bench => ['svc_put_computers_isolation', host(bench)]],
	['isolate', bench => ['svc_put_computers_isolation', host(bench), '--comment', 'Beaconing']],
	['wait', bench => ['svc_get_computers_isolation', host(bench), '--status', 'isolated', '--wait', '30']],
	['conflict', bench => ['svc_put_computers_isolation', host(bench), '--comment', 'Again', '--json']],
	['release', bench => ['svc_delete_computers_isolation', host(bench), '--comment', 'Clean']],
	['another state', bench => ['svc_get_computers_isolation', host(bench), '--status', 'isolated', '--json']],
	['connections', words('connections list')],
	['read-only', words('connections edit lab --read-only')],
	['refused', bench => ['svc_put_computers_isolation', host(bench), '--comment', 'No']],
	['writable without a word', words('connections edit lab --writable --json')],
	['writable', words('connections edit lab --writable --confirm lab --reason', 'Patch night', '--json')],
	['locked', words('connections lock lab')],
	['unlocked', words('connections unlock lab')],
	['test', words('connections test lab --json')],
	['a second connection', bench => add(bench, 'second')],
	['one of several', words('svc_get_version')],
	['its end', words('connections remove second')],
	['export', words('connections export')],
	['import of nothing', words('connections import /nonexistent/file')],
	['incident', words('incidents open Outbreak --reference INC-1')],
	['incidents', words('incidents list --json')],
	['note', words('log note', 'Called the ward')],
	['log', words('log --writes')],
	['log as it is stored', words('log export --format csv')],
	['no such entry', words('log pin 4711')],
	['audit', words('log audit --read --json')],
	['plan', bench => ['job', 'isolate', '--targets', targets(bench), '--reason', 'Drill', '--plan', plan(bench)]],
	['job', bench => ['job', 'isolate', '--apply', plan(bench)]],
	['jobs', words('job list --json')],
	['no job', words('job show nothing')],
	['targets that are not there', words('job release --targets /nonexistent --reason Done')],
	['undo', words('undo list')],
	['playbooks', words('playbook list')],
	['a playbook', words('playbook run', 'Hunt indicators', '--var', 'indicators=10.0.0.1', '--wait')],
	['a variable that is missing', words('playbook run', 'Hunt indicators', '--json')],
	['a playbook that is none', words('playbook run Nothing')],
	['a file that is no playbook', bench => ['playbook', 'check', bench.file('broken.json', '{"type":"playbook"}')]],
	['runs of playbooks', words('playbook runs --json')],
	['no run', words('playbook show none')],
	['instance', words('instances add files --port 9000')],
	['exposed', words('instances expose files')],
	['parameters', words('parameters list')],
	['parameter', words('parameters set forward.port nothing')],
	['configuration', bench => ['forward', 'export', '--format', 'nginx', '--out', join(bench.folder, 'nginx')]],
	['completion', words('__complete connection ')],
	['a command that is none', words('svc_get_computer')]
]

function add(bench: ServiceBench, name: string) {
	return ['connections', 'add', name, ...bench.service()]
}

function targets(bench: ServiceBench) {
	const hosts = bench.sandbox.world.tenant.hosts.filter(each => each.role !== 'server').slice(20, 23)
	return bench.file('targets', hosts.map(({guid}) => guid).join('\n'))
}

function plan({folder}: ServiceBench) {
	return join(folder, 'plan.json')
}

/** Removes what must differ: ids, times, ports, folders and hashes. */
function plain({code, out, err}: Ran, {folder, sandbox}: ServiceBench): Ran {
	const {hostname = ''} = sandbox.world.tenant.hosts.find(({guid}) => guid === host({sandbox})) ?? {}
	const same = (text: string) =>
		text
			.replaceAll(folder, 'FOLDER')
			.replaceAll(sandbox.url, 'SERVER')
			.replaceAll(new URL(sandbox.url).host, 'SERVER')
			// A console names computers by host name; a command line alone knows only the GUID.
			.replaceAll(hostname, 'GUID')
			.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'TIME')
			.replace(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
			.replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
			.replace(/Cordon log [0-9A-Z]{8}/g, 'Cordon log ID')
			.replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'GUID')
			.replace(/\b[0-9a-f]{16,64}\b/g, 'HASH')
			.replace(/"(durationMs|date_last_seen|seq|requestId|readAt)":("[^"]*"|\d+)/g, '"$1":0')
			.replace(/\b\d+(\.\d)? m?s\b/g, 'DURATION')
			.replace(/,200,GUID,\d+,|,40\d,GUID,\d+,/g, ',ANSWER,')
			.replace(/[\d,]+ (of [\d,]+ )?calls (of this hour|are left until \d\d:\d\d)/g, 'CALLS')
			.replace(/ +\n/g, '\n')
	return {code, out: same(out), err: same(err)}
}

it('every command prints the same and ends with the same code', async () => {
	for (const [name, argv] of table) {
		const left = plain(await alone.cordon(argv(alone)), alone)
		const right = plain(await beside.cordon(argv(beside)), beside)
		expect.soft(right, name).toEqual(left)
	}
	expect(beside.refusals).toEqual([])
	expect(readFileSync(plan(beside), 'utf8')).not.toBe('')
	expect(existsSync(join(beside.folder, 'nginx', 'cordon.conf'))).toBe(true)
})

// At the end: the limit stays.
test('commands beside a console wait no longer for the API limit than they may, and neither does what they start', async () => {
	const {cordon, json, sandbox} = beside
	const to = sandbox.world.tenant.groups.at(-1)?.guid ?? ''
	expect((await cordon(['svc_move_computer', host(beside), '--group_guid', to])).code).toBe(0)
	const [{id}] = (await json('undo', 'list')).data
	sandbox.weather.set(['GET *=429:600'])
	for (const argv of [
		['list', 'export', 'Any'],
		['job', 'isolate', '--targets', targets(beside), '--reason', 'Drill'],
		['playbook', 'run', 'Hunt indicators', '--var', 'indicators=10.0.0.1', '--wait'],
		['undo', 'show', id],
		['undo', 'apply', id]
	])
		expect([argv, (await cordon([...argv, '--max-wait', '0'])).code]).toEqual([argv, 6])
})
