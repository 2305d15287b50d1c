/** Calls the procedures of the newer screens, with secrets where possible. A refusal counts as an answer. */
import type {ContractRouterClient} from '@orpc/contract'

import type {Contract} from '#contract/contract.ts'
import {instanceDefinitionSchema} from '#model/instance.ts'
import {targetSchema} from '#model/target.ts'
import {whole} from '#shared/streams.ts'

type Client = ContractRouterClient<Contract>

/** Secrets that must not be found anywhere afterwards. */
export interface InstanceSecrets {
	password: string
	token: string
	signingKey: string
	/** Value of a variable of a managed program. */
	variable: string
	/** PEM, a matching pair. */
	certificate: string
	key: string
}

const screens: readonly ((client: Client, connection: string, guid: string) => Promise<unknown>)[] = [
	callDirectory,
	callEditor,
	callEvents,
	callJobs,
	callInsight,
	callPlaybooks,
	callAutomation,
	callDoors,
	callApprovals,
	callSearch,
	callComputerList,
	callEventViews,
	callLocal,
	callGuards,
	callLog
]

export async function callScreens(...given: Parameters<(typeof screens)[number]>) {
	for (const call of screens) await call(...given)
}

export async function callInstances(client: Client, secrets: InstanceSecrets) {
	const {instances} = client
	const id = await saveOfEachAccess(client, secrets)
	await instances.list()
	await instances.detail({id})
	await instances.checkPort({port: 9, id})
	await tried(instances.setExposed({id, exposed: true}))
	await tried(instances.setOpenPort({id, open: true}))
	await tried(instances.restart({id}))
	await tried(instances.checkNow({id}))
	await tried(instances.publish({id}))
	await instances.requests({id})
	await left(instances.follow({id}))
	await left(instances.probe({id}))
	await instances.setEnabled({id, enabled: false})
	await callParameters(client)
	await callCertificate(client, secrets)
	await instances.remove({id})
}

/** The last is a managed program with a variable. */
async function saveOfEachAccess(client: Client, secrets: InstanceSecrets) {
	const {password, token, signingKey, variable} = secrets
	const save = async (name: string, input: object, given: object) =>
		(await client.instances.save({definition: instanceDefinitionSchema.parse({name, ...input}), secrets: given, exposed: true})).id
	await save('one', {access: {kind: 'basic'}}, {users: [{name: 'ada', password}]})
	await save('two', {access: {kind: 'bearer'}}, {tokens: [token]})
	await save('three', {access: {kind: 'hmac'}}, {signingKey})
	const program = {kind: 'managed', command: ['false', 'now'], environment: {API_TOKEN: variable}}
	return save('four', {program}, {})
}

async function callParameters({instances: {parameters}}: Client) {
	await parameters.list()
	await parameters.set({key: 'forward.platformVersion', value: '6.12'})
	await tried(parameters.set({key: 'forward.lan', value: 'true'}))
}

async function callCertificate({instances}: Client, {certificate, key}: InstanceSecrets) {
	await instances.certificate.exportAuthority({format: 'pem'})
	await instances.certificate.import({certificate, key})
	await tried(instances.certificate.import({certificate, key: key.replaceAll('\n', ' ')}))
	await instances.certificate.useLocal()
	await instances.certificate.renew()
}

/** The signing secret must not be found anywhere afterwards. */
export async function callStreams({streams, targets}: Client, connection: string, secret: string) {
	await streams.own({connection})
	await tried(streams.list({connection}))
	await tried(streams.create({connection, eventTypes: [], groups: []}))
	await tried(streams.follow({connection}))
	await streams.unreadable({connection, limit: 1})
	await tried(streams.delete({connection}))
	const to = {kind: 'webhook', url: 'https://127.0.0.1:9/'} as const
	const definition = targetSchema.parse({name: 'hook', to, log: {}})
	const {target} = await targets.save({definition, secret})
	await targets.list()
	await tried(targets.test({target: target.id}))
	await targets.setEnabled({target: 'hook', enabled: false})
	await targets.refused({target: 'hook', limit: 1})
	await targets.remove({target: 'hook'})
}

async function callDirectory(client: Client, connection: string) {
	const {app, directory} = client
	const {groups, policies, fileLists} = directory
	await app.shows({connection})
	await directory.refresh({connection, details: true})
	await directory.state({connection})
	const group = {connection, guid: (await groups.tree({connection})).groups[0]?.guid ?? ''}
	await groups.refreshOne(group)
	await groups.preview({...group, policies: {}})
	await groups.ways({connection})
	const policy = {connection, guid: (await policies.list({connection})).policies[0]?.guid ?? ''}
	await all(policy, policies.detail, policies.refreshOne, policies.xml)
	const list = {connection, guid: (await fileLists.list({connection})).lists[0]?.guid ?? ''}
	await all(list, fileLists.refreshItems, fileLists.coverage, fileLists.ages)
	await fileLists.items({...list, offset: 0, limit: 500})
	const sha256 = 'a'.repeat(64)
	await fileLists.position({...list, sha256})
	for (const format of ['csv', 'json'] as const) await whole(fileLists.export({...list, format}))
	await all({connection, sha256}, fileLists.holding, fileLists.hash)
}

async function callEditor(client: Client, connection: string) {
	const {editor, directory} = client
	const list = (await directory.fileLists.list({connection})).lists[0]?.guid ?? ''
	const draft = {connection, list}
	const sha256 = 'b'.repeat(63).concat('1')
	const source = {name: 'typed', text: sha256}
	await editor.inspect(source)
	await editor.stage({...draft, operation: 'add', source})
	await editor.state(draft)
	await editor.rows({...draft, offset: 0, limit: 10})
	await editor.keys({...draft, view: 'all'})
	await editor.annotate({...draft, keys: [sha256], note: 'a note', reason: 'a reason'})
	await editor.prevalence({...draft, keys: [sha256]})
	await editor.difference({...draft, with: {source}})
	await editor.export({...draft, format: 'csv'})
	await tried(editor.plan({...draft, reason: 'case 7'}))
	await editor.drop({...draft, keys: [sha256]})
	await editor.discard(draft)
	// A browser has no ticket, so it cannot make Cordon read a local file.
	await tried(editor.hashFile({ticket: 'f'.repeat(32)}))
}

async function callEvents(client: Client, connection: string) {
	const {events} = client
	const query = {connection, filter: ''} as const
	await events.refresh({connection})
	await events.state({connection})
	const {rows} = await events.query({...query, offset: 0, limit: 500})
	const key = rows[0]?.key ?? 'none'
	await events.position({...query, key})
	await events.detail({connection, key})
	await events.histogram({...query, steps: 50})
	await events.facets(query)
	await events.types({connection})
	for (const format of ['csv', 'jsonl'] as const) await whole(events.export({...query, format}))
}

async function callEventViews({eventViews}: Client, connection: string) {
	const time = {span: '7d', from: null, to: null} as const
	const kept = {filter: 'severity>=high', ...time, grouping: 'hash', within: null} as const
	await eventViews.save({connection, view: {kind: 'events', id: 'high', name: 'High by hash', ...kept}})
	await eventViews.list({connection})
	await eventViews.remove({connection, id: 'high'})
}

async function callComputerList(client: Client, connection: string, guid: string) {
	const {computers, views} = client
	const query = {connection, filter: ''}
	const none = {tags: [], roles: []}
	await computers.label({connection, guids: [guid], add: {...none, tags: ['loaner']}, remove: none})
	await computers.facets(query)
	await computers.marks({connection: query.connection})
	const sort = {column: 'hostname', descending: false} as const
	await whole(computers.export({...query, sort, format: 'jsonl', columns: []}))
	const kept = {filter: 'tag:loaner', sort: 'hostname', descending: false, columns: ['hostname']}
	await views.save({connection, view: {id: 'loaners', name: 'Loaners', ...kept, pinned: true, isDefault: false}})
	await views.list({connection})
	await views.remove({connection, id: 'loaners'})
}

async function callJobs(client: Client, connection: string, guid: string) {
	const {jobs} = client
	const plan = await jobs.plan({connection, action: {kind: 'release', reason: 'tidying up'}, targets: [guid]})
	const {text} = await jobs.savePlan({id: plan.id})
	await tried(jobs.importPlan({connection, text}))
	await tried(jobs.apply({plan: plan.id, confirm: String(plan.targets.length)}))
	await tried(jobs.stop({id: plan.id}))
	await tried(jobs.resume({id: plan.id}))
	await tried(jobs.retryPlan({id: plan.id}))
	await jobs.list({offset: 0, limit: 10})
	await tried(jobs.get({id: plan.id}))
	await tried(jobs.agreed({id: plan.id}))
	await tried(jobs.receipts({job: plan.id, offset: 0, limit: 10}))
	await tried(whole(jobs.export({id: plan.id, format: 'csv'})))
	const {undo} = client
	const [first] = await undo.list({connection})
	await tried(undo.preview({connection, id: first?.id ?? 'none'}))
	await tried(undo.apply({connection, id: 'none'}))
}

async function callPlaybooks({playbooks}: Client, connection: string) {
	const [first] = await playbooks.list()
	const brought = first?.id ?? 'none'
	const {text} = await playbooks.export({playbook: brought})
	await playbooks.get({playbook: brought})
	await playbooks.check({text})
	const playbook = `playbook--${crypto.randomUUID()}`
	await playbooks.import({text: text.replaceAll(brought, playbook)})
	await playbooks.tag({playbook, tags: ['drill']})
	const variables = {__computer__: 'none', __reason__: 'Drill'}
	await playbooks.dryRun({playbook, connection, variables})
	const start = {playbook, connection, variables, key: crypto.randomUUID()}
	const {id: run} = await playbooks.start(start)
	if ((await playbooks.start(start)).id !== run) throw new Error('one key started two runs')
	await playbooks.runs({offset: 0, limit: 10})
	await playbooks.run({run})
	await playbooks.progress({run})
	await playbooks.steps({run, offset: 0, limit: 10})
	await playbooks.pinned({run})
	await playbooks.entries({run})
	await playbooks.exportRun({run})
	await tried(playbooks.draft({entries: [run]}))
	await tried(playbooks.pause({run}))
	await tried(playbooks.resume({run}))
	await tried(playbooks.answer({run, answer: 'no', reason: null}))
	await tried(playbooks.cancel({run}))
	await tried(playbooks.retry({run}))
	await tried(playbooks.skip({run, step: 'none', reason: 'Drill'}))
	const rerun = {run, newest: true, key: crypto.randomUUID()}
	const {id: again} = await playbooks.again(rerun)
	if ((await playbooks.again(rerun)).id !== again) throw new Error('one key started two runs')
	await playbooks.remove({playbook})
}

async function callDoors({doors}: Client, connection: string) {
	await doors.set({on: true, port: 0})
	await doors.state()
	const {id} = await doors.create({name: 'soar', connections: [connection]})
	await doors.tokens()
	await doors.test({connection})
	await doors.test({token: id})
	await doors.revoke({id})
	await doors.reference()
	await doors.set({on: false})
}

async function callAutomation({automation, playbooks}: Client, connection: string) {
	const {id: playbook} = (await playbooks.list()).at(-5) ?? {id: 'none'}
	const common = {id: '', connection, enabled: true, variables: {}, playbook} as const
	const pattern = {times: '0 6 * * MON-FRI', timeZone: 'Europe/Berlin'}
	await automation.times(pattern)
	const definition = {...common, ...pattern, kind: 'schedule', name: 'Morning', missed: 'once'} as const
	await tried(automation.save(definition))
	const shape = {filter: 'severity=critical', roles: ['server' as const], most: 3, minutes: 60}
	const rule = {...common, ...shape, kind: 'rule', name: 'Critical', playbook: null} as const
	const {id} = await automation.save(rule)
	await automation.enable({id, enabled: false})
	await automation.test({rule, days: 7})
	await automation.list()
	await automation.firings({limit: 10})
	await automation.remove({id})
	await tried(automation.setSecret({name: 'tickets', origin: 'https://tickets.example.org', value: 'open sesame'}))
	await tried(automation.removeSecret({name: 'tickets'}))
	await automation.secrets()
}

async function callApprovals({approvals}: Client) {
	await approvals.list({all: true})
	const id = 'none'
	await tried(approvals.get({id}))
	await tried(approvals.answer({id, digest: '', verdict: 'denied', reason: null}))
	await tried(approvals.edit({id, args: {}}))
	await tried(approvals.withdraw({id, reason: 'Drill'}))
	await tried(approvals.file({id}))
	await tried(approvals.accept({text: '{}'}))
	const {publicKey} = await approvals.createKey({name: 'ana', passphrase: 'correct horse battery'})
	await approvals.addKey({name: 'ana', use: 'approve', publicKey, groups: ['leads'], confirm: 'ana'})
	await approvals.keys()
	await approvals.revokeKey({key: 'ana', reason: 'Drill'})
}

async function callInsight(client: Client, connection: string, guid: string) {
	await client.overview({connection})
	await client.detections.list({connection, offset: 0, limit: 9})
	await client.detections.position({connection, key: '0'})
	await client.detections.detail({connection, key: '0'})
	await tried(client.detections.decide({connection, key: '0', status: 'closed', owner: '', note: ''}))
	await client.overviewDuring({connection, from: '2026-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z'})
	const {trajectory, vulnerabilities} = client
	await all({connection, guid}, trajectory.read, trajectory.stored, vulnerabilities.read, vulnerabilities.stored)
	await trajectory.record({connection, guid, index: 0})
}

async function callSearch(client: Client, connection: string) {
	const question = {connection, text: 'svchost.exe', kind: 'activity'} as const
	await client.search.local({connection, text: 'FIN'})
	const stream = await client.search.activity(question)
	await stream.next()
	await stream.return?.()
	await client.search.asked(question)
}

async function callLog(client: Client, connection: string) {
	const {log} = client
	const incident = await log.openIncident({title: 'Beacon', reference: ''})
	const {id} = await log.note({text: 'noted', about: null, incident: incident.id})
	await log.setPinned({id, pinned: true})
	await log.setIncidentOpen({id: incident.id, open: false})
	await all(undefined, log.incidents, log.pins, log.people, log.verify)
	await log.query({})
	await log.picture({})
	for (const format of ['jsonl', 'csv'] as const) await whole(log.export({query: {}, format}))
	await all({connection}, log.readAudit, log.audit, log.handover)
	const {rows} = await log.joined({query: {text: 'isolation'}, connection})
	await log.thread({connection, key: 'none'})
	const elsewhere = rows.find(row => row.kind === 'elsewhere')
	await tried(log.pinElsewhere({connection, key: elsewhere?.record.key ?? 'none'}))
	await all({connection, next: 'wait'}, log.handoverText, log.handOver)
}

async function callLocal(client: Client, connection: string) {
	const {local} = client
	await all(undefined, local.data, local.diagnostics, local.exportConnections, local.network, local.notices, local.sessions)
	await callSealed(client)
	await local.readNotice({id: null})
	await local.dismissNotice({id: null})
	await tried(local.endSession({id: 'none'}))
	await tried(local.wipe({connection, kinds: ['trajectories']}))
	await local.wipe({connection, kinds: ['trajectories'], confirm: await nameOf(client, connection)})
}

/** The exported file holds the key encrypted; no response contains the passphrase. */
async function callSealed({connections, local}: Client) {
	const account = {name: 'Moved', url: 'https://api.example.test', clientId: 'moved', apiKey: movedKey}
	const {id} = await connections.add({...account, proxy: 'http://proxy.example:1', proxyLogin: {user: 'me', password: movedKey}})
	const {text} = await local.exportSealed({seal: 'a long passphrase', reason: 'a new computer'})
	await connections.remove({id})
	const [imported] = await local.importSealed({text, seal: 'a long passphrase'})
	if (imported?.outcome !== 'added') throw new Error(imported?.message)
	await tried(local.importSealed({text, seal: 'another passphrase'}))
}

/** An API key, and a proxy password. */
export const movedKey = 'canary-moved-4c1e'

async function nameOf({connections}: Client, id: string) {
	return (await connections.list()).find(each => each.id === id)?.name ?? ''
}

/** One after the other. */
async function all<Given>(given: Given, ...calls: readonly ((given: Given) => Promise<unknown>)[]) {
	for (const call of calls) await call(given)
}

async function tried(call: Promise<unknown>) {
	await call.catch(() => {})
}

/** Opens a stream and leaves it. */
async function left(stream: Promise<AsyncIterator<unknown, void>>) {
	await (await stream).return?.()
}

/** Guard rules, leases and sealed codes. */
async function callGuards(client: Client, connection: string, guid: string) {
	const rules = await client.guards.get({connection})
	await tried(client.guards.set({connection, before: rules, rules, confirm: 'Sandbox'}))
	const args = {connector_guid: guid}
	await client.guards.judge({connection, name: 'svc_put_computers_isolation', args})
	await client.guards.whatIf({connection, rules})
	await client.leases.set({connection, guid, term: {hours: 4, auto: false}})
	await client.leases.handOver({connection, guid, to: 'second shift', note: 'see the ticket'})
	await client.leases.list({connection})
	await client.codes.list({})
}
