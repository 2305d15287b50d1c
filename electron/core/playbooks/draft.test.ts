import {readyComputers} from '#sandbox/testing/running.ts'
import type {LogEntry} from '#model/incident.ts'

import {refused} from '#base/testing/code-of.ts'
import {openBench, type Bench} from '#core/actions/commands/testing/bench.ts'
import type {WorkflowStep} from './document.ts'
import {draftOf} from './draft.ts'
import {orderOf} from './routes.ts'
import {checkPlaybook} from './validate.ts'

let bench: Bench

beforeEach(async () => {
	bench = await openBench({computers: 300, seed: 'playbooks', agentDelayMs: 20_000})
})
afterEach(() => bench.close())

const draft = (entries: readonly Pick<LogEntry, 'id'>[]) =>
	draftOf(
		entries.map(({id}) => id),
		async id => {
			const found = await bench.profile.log.entry(id)
			return found && {...found, target: found.target && {...found.target, label: 'FIN-1'}}
		},
		'2026-11-24T12:00:00.000Z'
	)

test('past commands become a document with the same commands in order, which runs', async () => {
	const {tenant} = bench.sandbox.world
	const [connector = ''] = readyComputers(bench.sandbox)
	const [sha256, list] = ['ab'.repeat(32), tenant.lists.find(({type}) => type === 'simple_custom_detections')?.guid ?? '']
	await bench.run('svc_get_events', {connector_guid: connector, limit: '3'})
	await bench.run('svc_put_computers_isolation', {connector_guid: connector, comment: 'Beacon'}, {isolation: {code: 'service', lease: null}})
	await bench.run('svc_set_file_list_files_by_sha', {file_list_guid: list, sha256, description: 'dropper'}, {agreement: {reason: 'r'}})
	const {entries} = await bench.profile.log.query({limit: 100})
	// An intent and its outcome are one step, whichever is selected.
	const document = await draft(entries)
	const verdict = await checkPlaybook(document as unknown as Readonly<Record<string, unknown>>)
	expect(verdict).toMatchObject({runnable: true, issues: verdict.issues.filter(({level}) => level === 'portability')})
	const variables = document.playbook_variables ?? {}
	expect(variables).toMatchObject({
		__computer__: {value: connector, external: true, description: expect.stringContaining('(FIN-1)')},
		__sha256__: {type: 'sha256-hash', value: sha256, external: true},
		__reason__: {external: true}
	})
	const steps: WorkflowStep[] = []
	for (let at: string | undefined = document.workflow_start; at !== undefined; at = steps.at(-1)?.on_completion)
		steps.push(document.workflow[at] ?? {type: 'end'})
	const commands = steps.flatMap(step => step.commands ?? [])
	const orders = commands.filter(({type}) => type === 'http-api').map(one => orderOf(one, name => variables[name]?.value ?? 'why'))
	expect(orders).toMatchObject([
		{name: 'svc_get_events', args: {connector_guid: connector, limit: '3'}},
		{name: 'svc_put_computers_isolation', args: {connector_guid: connector, comment: 'Beacon'}},
		{name: 'svc_set_file_list_files_by_sha', args: {file_list_guid: list, sha256, description: 'dropper'}, reason: variables['__reason__']?.value}
	])
	expect(commands[0]?.type).toBe('manual')
	expect(JSON.stringify(document.workflow)).not.toContain(connector)
	expect((await draft(entries)).id).not.toBe(document.id)
})

test('entries that are no commands make no draft', async () => {
	const note = await bench.profile.log.append({kind: 'note', surface: 'screen', message: 'Seen'})
	expect(await refused(draft([note, {id: 'none'}]))).toMatchObject({code: 'usage', details: {field: 'entries'}})
})
