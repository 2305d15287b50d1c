/** `cordon list …`: whole file lists. A list is named by its GUID or its exact name. */
import {getFileListFiles, getFileLists} from '#core/service/api/endpoints/file-lists.ts'
import type {ApiClient} from '#core/service/api/types.ts'
import {csvLine} from '#text/csv.ts'
import {readSource} from '#core/work/list-editor/sources/read.ts'
import {CordonError} from '#contract/errors.ts'
import {isPlaceholder} from '#model/file-hash.ts'
import {fileListTypes} from '#model/file-list.ts'
import {isGuid, isSha256, normalGuid, normalSha256} from '#model/formats.ts'

import {storedConnection} from './choose-connection.ts'
import {usage} from './faults.ts'
import type {CliHost} from './host.ts'
import {refuseBeforeReading, withJobs} from './job-session.ts'
import {readText} from './job-targets.ts'
import {carryOut, checkedAction, refuseBesidePlan} from './job.ts'
import {printObject} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'

interface Run extends SubRun {
	connection: string
	client: ApiClient
	/** GUID of the list named first. */
	list: string
}

export async function runList(call: SubCall) {
	const {sub, host} = call
	return await inSession(call, 'service', async run => {
		const {connections} = run.session.profile
		const {id} = storedConnection(connections, sub.globals.connection)
		const client = connections.client(id)
		const [named = ''] = sub.words
		const begun = {...run, connection: id, client}
		// Errors of the command itself are reported before any query to the service.
		if (sub.spec.name === 'list import') {
			if (!sub.options.has('apply')) actionOf({...begun, list: '00000000-0000-4000-8000-000000000000'})
			refuseBeforeReading(sub, run.session, id)
		}
		return await dispatch({...begun, list: await guidOf(client, named, host)})
	})
}

async function dispatch(run: Run) {
	switch (run.sub.spec.name) {
		case 'list export':
			return await exportList(run)
		case 'list diff':
			return await difference(run)
		default:
			return await importInto(run)
	}
}

async function guidOf(client: ApiClient, named: string, {signal}: CliHost) {
	if (isGuid(named)) return normalGuid(named)
	const found: string[] = []
	for (const kind of fileListTypes) {
		const {records, error} = await getFileLists(client, kind, {}, {all: true, signal})
		if (error !== null) throw error
		for (const one of records.filter(({name}) => name?.toLowerCase() === named.toLowerCase()).map(({guid}) => guid)) found.push(one)
	}
	const [only, second] = found
	if (only === undefined) throw new CordonError('not_found', `There is no file list of the name ${named}.`)
	if (second !== undefined) throw usage(`${found.length} lists have this name`, 'give the GUID', 'LIST')
	return normalGuid(only)
}

async function importInto(run: Run) {
	const {host, output, session, option, connection} = run
	const apply = option('apply')
	if (apply !== undefined) return await applyPlan(run, apply)
	const action = actionOf(run)
	const found = await hashesIn(run)
	return await withJobs(session, output, async jobs => {
		const plan = await jobs.plan({
			connection,
			action,
			targets: found.map(({text, note}) => ({id: text, note})),
			// One refused hash must not block the others.
			stopShare: 1,
			signal: host.signal
		})
		return await carryOut({...run, jobs}, plan)
	})
}

/** A saved plan for this list. */
async function applyPlan(run: Run, file: string) {
	const {sub, host, output, session, connection, list} = run
	refuseBesidePlan(sub)
	const text = await readText(host, file, 'apply')
	return await withJobs(session, output, async jobs => {
		const plan = await jobs.importPlan(connection, text)
		if (!('list' in plan.action) || plan.action.list !== list)
			throw usage('This plan is not for this list', 'name the list that it was made for', 'apply')
		return await carryOut({...run, jobs}, plan)
	})
}

function actionOf({sub, option, list}: Run) {
	if (option('file') === undefined) throw usage('list import needs --file FILE', 'name a file with hashes', 'file')
	return checkedAction({sub, option}, {kind: sub.options.has('remove') ? 'remove_hashes' : 'add_hashes', list})
}

/** Each hash once, with its first note. Throws `usage` for a file without any. */
async function hashesIn({host, session, output, option}: Run) {
	const file = option('file') ?? '-'
	const source = {name: file, text: await readText(host, file, 'file')}
	const {found, ignored} = await readSource(source, session.ports.clock.now())
	for (const words of ignored) output.say(words)
	const kept = found.filter(({text}) => !isPlaceholder(text))
	if (kept.length < found.length) output.say(`${found.length - kept.length} placeholders of one repeated digit skipped.`)
	if (kept.length === 0) throw usage(`${file === '-' ? 'Standard input' : file} holds no hash`, 'name another', 'file')
	return kept
}

async function itemsOf({client, host}: Pick<Run, 'client' | 'host'>, list: string) {
	const {records, error} = await getFileListFiles(client, {file_list_guid: list}, {all: true, signal: host.signal})
	if (error !== null) throw error
	return records
}

async function exportList(run: Run) {
	const {output, option} = run
	const items = await itemsOf(run, run.list)
	const format = option('format') ?? output.mode
	if (format === 'json') output.json(items)
	if (format === 'jsonl') for (const item of items) output.json(item)
	if (format.startsWith('json')) return 0
	output.raw(csvLine(['sha256', 'description', 'source']))
	for (const {sha256, description = '', source = ''} of items) {
		await output.room()
		output.raw(csvLine([normalSha256(sha256), description, source]))
	}
	return 0
}

async function difference(run: Run) {
	const {option, output, client, host, list} = run
	const other = option('with')
	if ((other === undefined) === (option('file') === undefined))
		throw usage('list diff needs either --file FILE or --with LIST', 'give one of them', 'file')
	const here = new Set((await itemsOf(run, list)).map(({sha256}) => normalSha256(sha256)))
	const given =
		other === undefined
			? (await hashesIn(run)).map(({text}) => text)
			: (await itemsOf(run, await guidOf(client, other, host))).map(({sha256}) => sha256)
	const comparable = given.filter(isSha256)
	const there = new Set(comparable.map(normalSha256))
	const onlyHere = [...here].filter(hash => !there.has(hash))
	const onlyThere = [...there].filter(hash => !here.has(hash))
	const both = here.size - onlyHere.length
	const skipped = given.length - comparable.length
	const message = `${onlyHere.length} only on the list, ${onlyThere.length} only there, ${both} on both.${skipped === 0 ? '' : ` ${skipped} not SHA-256: skipped.`}`
	if (output.mode === 'text') {
		for (const hash of onlyHere) output.print(`- ${hash}`)
		for (const hash of onlyThere) output.print(`+ ${hash}`)
		output.say(message)
	} else printObject(run, {list}, {onlyHere, onlyThere, both}, message)
	return 0
}
