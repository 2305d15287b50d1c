import {once} from 'node:events'

import {knownIncident} from '#core/record/incidents/known.ts'
import type {IncidentLog} from '#core/record/incidents/types.ts'
import {CordonError} from '#contract/errors.ts'
import type {LogEntry, LogQuery} from '#model/incident.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {counted} from '#text/numbers.ts'
import {showUnseen} from '#text/foreign.ts'
import {nouns} from '#text/terms.ts'

import {readLimit, readSpan, type Sub} from './argv.ts'
import {shown, usage} from './faults.ts'
import {printObject} from './result.ts'
import {inSession, type SubCall, type SubRun} from './session.ts'
import {incidentIn} from './globals.ts'
import {tableText} from './terminal-table.ts'

type Filter = Omit<LogQuery, 'limit' | 'before' | 'after'>

const formats = ['jsonl', 'csv', 'md', 'html'] as const
const largestPage = 1000

export async function runLog(call: SubCall) {
	const {name} = call.sub.spec
	if (name === 'log audit') return (await import('./log-audit.ts')).runAudit(call)
	if (name === 'log handover') return (await import('./log-handover.ts')).runHandover(call)
	return await inSession(call, 'stores', actions[name] ?? showLog)
}

const actions: Readonly<Record<string, (run: SubRun) => Promise<number>>> = {
	'log note': addNote,
	'log pin': pinEntry,
	'log unpin': pinEntry,
	'log verify': verifyLog,
	'log export': exportLog
}

async function showLog(run: SubRun) {
	const {sub, output} = run
	const filter = await readFilter(run)
	const limit = readLimit(sub)
	if (sub.options.has('follow')) return await follow(run, filter, limit)
	const {entries, matching} = await newest(run, filter, limit)
	const message = `${entries.length} of ${counted(matching, nouns.entry)}.`
	if (output.mode === 'text') output.print(entries.length === 0 ? 'No entries.' : logText(entries, output.width))
	else printObject(run, argsOf(sub), entries, message)
	if (output.mode !== 'json' && entries.length < matching) output.say(`${message} Give --limit N for more, or use "cordon log export" for all.`)
	return 0
}

/** Prints existing entries, then new ones of any process on the profile, until stopped. */
async function follow(run: SubRun, filter: Filter, limit: number): Promise<number> {
	const {host, output} = run
	const {log} = run.session.profile
	const stopped = AbortSignal.any([host.signal, output.gone])
	// Read first: entries that arrive while the page is loaded are printed with later ones.
	let last = await log.newest()
	const {entries: first} = await newest(run, filter, limit)
	const print = (entries: readonly LogEntry[]) => {
		for (const entry of entries) {
			if (output.mode === 'text') output.print(entryLine(entry))
			else output.json(entry)
		}
	}
	print(first.filter(entry => entry.seq <= last))
	const printNew = async () => {
		const found = await log.query({...filter, after: last, limit: largestPage})
		print(found.entries)
		last = Math.max(last, ...found.entries.map(({seq}) => seq))
		await output.room()
		if (found.more && !stopped.aborted) await printNew()
	}
	// Sequentially: each entry is printed once and in order.
	const failed = Promise.withResolvers<never>()
	let printing = Promise.resolve()
	const more = () => {
		printing = printing.then(printNew)
		printing.catch(failed.reject)
	}
	const forget = log.onAppend(more)
	more()
	try {
		await printing
		if (!stopped.aborted) await Promise.race([failed.promise, once(stopped, 'abort')])
	} finally {
		forget()
	}
	throw new CordonError('cancelled', 'Cancelled.')
}

async function exportLog(run: SubRun) {
	const {host, output} = run
	const given = formats.find(each => each === run.option('format'))
	const isDocument = given === undefined && output.mode === 'json'
	let lead = '['
	const signal = AbortSignal.any([host.signal, output.gone])
	for await (const text of run.session.profile.log.export(await readFilter(run), given ?? 'jsonl', signal)) {
		output.raw(isDocument ? `${lead}${text.trimEnd()}` : text)
		lead = ',\n'
		await output.room()
	}
	if (isDocument) output.raw(lead === '[' ? '[]\n' : ']\n')
	return 0
}

async function addNote(run: SubRun) {
	const {sub} = run
	const {profile} = run.session
	const text = sub.words[0]?.trim() ?? ''
	if (text === '') throw usage('The note is empty', 'write what is to be remembered', 'text')
	const about = run.option('about') ?? null
	const {log} = profile
	if (about !== null && (await log.entry(about)) === undefined)
		throw new CordonError('not_found', `The log has no entry ${shown(about)}.`, {field: 'about'})
	const incident = await incidentIn(sub.globals, profile)
	const entry = await log.append({kind: 'note', surface: 'cli', message: text, about, incident})
	return printObject(run, {text, about}, entry, 'The note was added.', {entry: entry.id})
}

async function pinEntry(run: SubRun) {
	const {sub} = run
	const {profile} = run.session
	const {log} = profile
	const named = sub.words[0] ?? ''
	const found = await findEntry(log, named)
	const pinned = sub.spec.name === 'log pin'
	const incident = await incidentIn(sub.globals, profile)
	const reason = run.option('reason') ?? ''
	const entry = await log.setPinned({id: found?.id ?? named, pinned, reason, incident, surface: 'cli'})
	const done = pinned ? 'pinned' : 'unpinned'
	const message = entry === null ? `Entry ${named} was already ${done}.` : `Entry ${found?.seq ?? named} was ${done}.`
	return printObject(run, {entry: named, reason}, entry, message, {entry: entry?.id ?? null})
}

/** By number or id. */
async function findEntry(log: IncidentLog, named: string) {
	if (!/^\d{1,9}$/.test(named)) return await log.entry(named)
	const [entry] = (await log.query({after: Number(named) - 1, limit: 1})).entries
	return entry?.seq === Number(named) ? entry : undefined
}

/** 1 when the hash chain is broken, for scripts. */
async function verifyLog(run: SubRun) {
	const {profile} = run.session
	const reason = run.option('begin-anew')?.trim()
	if (reason === '') throw usage('The reason is empty', 'write why the log was begun anew', 'begin-anew')
	if (reason !== undefined) {
		await profile.log.beginAnew(reason, 'cli')
		const {activeIncident} = profile.settings.get()
		const isKnown = (await profile.log.incidents()).some(({id}) => id === activeIncident)
		if (!isKnown) profile.settings.set({activeIncident: null})
	}
	const state = await profile.log.verify(run.host.signal)
	const {checked, head, broken} = state
	const holds = head === null ? 'The log is empty.' : `Hash chain intact: ${checked} entries. Newest: ${head.seq} ${head.hash}`
	const message =
		broken === null
			? holds
			: `The chain is broken at entry ${broken.seq}${broken.at === null ? '' : ` of ${broken.at}`}: ${broken.what}. The ${checked} entries before it are as they were written.`
	return printObject(run, {}, state, message, {code: Number(broken !== null)})
}

/** The newest entries, oldest first, page by page. */
async function newest({session: {profile}}: SubRun, filter: Filter, limit: number): Promise<{entries: readonly LogEntry[]; matching: number}> {
	const entries: LogEntry[] = []
	let matching = 0
	let before: number | undefined
	while (entries.length < limit) {
		const page = await profile.log.query({...filter, limit: Math.min(largestPage, limit - entries.length), ...omitUndefined({before})})
		if (before === undefined) matching = page.matching
		entries.push(...page.entries)
		before = Math.min(...page.entries.map(({seq}) => seq))
		if (!page.more || page.entries.length === 0) break
	}
	return {entries: entries.toSorted((left, right) => left.seq - right.seq), matching}
}

/** With what belongs to no connection, such as notes; of a connection that was removed, its own entries. */
async function scopeOf({connections, log}: SubRun['session']['profile'], connection: string): Promise<Filter> {
	try {
		return {tenant: connections.find(connection).id}
	} catch (error) {
		if ((await log.query({connection, limit: 1})).entries.length === 0) throw error
		return {connection}
	}
}

async function readFilter({sub, option, session}: SubRun): Promise<Filter> {
	const {connection} = sub.globals
	return omitUndefined({
		...(connection !== undefined && (await scopeOf(session.profile, connection))),
		text: option('text'),
		command: option('command'),
		target: option('target')?.toLowerCase(),
		...readSpan(option, session.ports.clock.now()),
		hash: option('hash'),
		operator: option('by'),
		pinned: sub.options.has('pinned') || undefined,
		incident: (await knownIncident(session.profile.log, sub.globals.incident)) ?? undefined,
		writesOnly: sub.options.has('writes') || undefined
	})
}

function argsOf(sub: Sub): Readonly<Record<string, unknown>> {
	return Object.fromEntries([...sub.options].map(([name, [value]]) => [name, value ?? true]))
}

function logText(entries: readonly LogEntry[], width: number | null) {
	return tableText({columns: ['Time', 'What', 'By', 'Connection', 'Message'], rows: entries.map(cells)}, width)
}

function entryLine(entry: LogEntry) {
	return cells(entry)
		.map(showUnseen)
		.filter(text => text !== '')
		.join('  ')
}

function cells(entry: LogEntry) {
	const what = entry.command === null ? entry.kind : `${entry.command} ${entry.kind.replace('command.', '')}`
	return [entry.at, what, entry.operator, entry.connection?.name ?? '', entry.message]
}
