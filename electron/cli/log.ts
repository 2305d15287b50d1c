import {once} from 'node:events'

import type {IncidentLog} from '#core/record/incidents/types.ts'
import {CordonError} from '#contract/errors.ts'
import type {LogEntry, LogQuery} from '#model/incident.ts'
import {counted} from '#text/numbers.ts'
import {showUnseen} from '#text/foreign.ts'
import {nouns} from '#text/terms.ts'

import {readLimit, readSince, type Sub, optionOf} from './argv.ts'
import {shown, usage} from './faults.ts'
import type {CliHost} from './host.ts'
import type {Output} from './output.ts'
import {printObject} from './result.ts'
import {withSession, type Session} from './session.ts'
import {incidentIn} from './globals.ts'
import {tableText} from './terminal-table.ts'

type Filter = Omit<LogQuery, 'limit' | 'before' | 'after'>

const formats = ['jsonl', 'csv', 'md', 'html'] as const
const largestPage = 1000

export async function runLog(sub: Sub, host: CliHost, output: Output): Promise<number> {
	if (sub.spec.name === 'log audit') return (await import('./log-audit.ts')).runAudit(sub, host, output)
	if (sub.spec.name === 'log handover') return (await import('./log-handover.ts')).runHandover(sub, host, output)
	return await withSession(sub.globals, host, 'stores', async session => {
		switch (sub.spec.name) {
			case 'log note':
				return addNote(sub, session, output)
			case 'log pin':
			case 'log unpin':
				return pinEntry(sub, session, output)
			case 'log verify':
				return await verifyLog(sub, session, host, output)
			case 'log export':
				return await exportLog(sub, session, output)
			default:
				return await showLog(sub, session, host, output)
		}
	})
}

async function showLog(sub: Sub, session: Session, host: CliHost, output: Output): Promise<number> {
	const filter = readFilter(sub, session.ports.clock.now())
	const limit = readLimit(sub)
	if (sub.options.has('follow')) return await follow(session, filter, limit, host, output)
	const {entries, matching} = await newest(session, filter, limit)
	const message = `${entries.length} of ${counted(matching, nouns.entry)}.`
	if (output.mode === 'text') output.print(entries.length === 0 ? 'No entries.' : logText(entries, output.width))
	else printObject(output, 'log', argsOf(sub), entries, message)
	if (output.mode !== 'json' && entries.length < matching)
		output.say(`${message} Give --limit N for more, or use "cordon log export" for all.`)
	return 0
}

/** Prints existing entries, then new ones of any process on the profile, until stopped. */
async function follow(session: Session, filter: Filter, limit: number, host: CliHost, output: Output): Promise<number> {
	const stopped = AbortSignal.any([host.signal, output.gone])
	// Read first: entries that arrive while the page is loaded are printed with later ones.
	let last = await session.profile.log.newest()
	const {entries: first} = await newest(session, filter, limit)
	const print = (entries: readonly LogEntry[]) => {
		for (const entry of entries) {
			if (output.mode === 'text') output.print(entryLine(entry))
			else output.json(entry)
		}
	}
	print(first.filter(entry => entry.seq <= last))
	const printNew = async () => {
		const found = await session.profile.log.query({...filter, after: last, limit: largestPage})
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
	const forget = session.profile.log.onAppend(more)
	more()
	try {
		await printing
		if (!stopped.aborted) await Promise.race([failed.promise, once(stopped, 'abort')])
	} finally {
		forget()
	}
	throw new CordonError('cancelled', 'Cancelled.')
}

async function exportLog(sub: Sub, session: Session, output: Output): Promise<number> {
	const format = formats.find(each => each === optionOf(sub, 'format')) ?? 'jsonl'
	for await (const text of session.profile.log.export(readFilter(sub, session.ports.clock.now()), format)) {
		output.raw(text)
		await output.room()
		if (output.gone.aborted) break
	}
	return 0
}

async function addNote(sub: Sub, session: Session, output: Output): Promise<number> {
	const text = sub.words[0]?.trim() ?? ''
	if (text === '') throw usage('The note is empty', 'write what is to be remembered', 'text')
	const about = optionOf(sub, 'about') ?? null
	const {log} = session.profile
	if (about !== null && (await log.entry(about)) === undefined)
		throw new CordonError('not_found', `The log has no entry ${shown(about)}.`, {field: 'about'})
	const incident = await incidentIn(sub.globals, session.profile)
	const entry = await log.append({kind: 'note', surface: 'cli', message: text, about, incident})
	printObject(output, 'log note', {text, about}, entry, 'The note was added.', entry.id)
	return 0
}

async function pinEntry(sub: Sub, {profile}: Session, output: Output): Promise<number> {
	const {log} = profile
	const named = sub.words[0] ?? ''
	const found = await findEntry(log, named)
	const pinned = sub.spec.name === 'log pin'
	const incident = await incidentIn(sub.globals, profile)
	const reason = optionOf(sub, 'reason') ?? ''
	const entry = await log.setPinned({id: found?.id ?? named, pinned, reason, incident, surface: 'cli'})
	const done = pinned ? 'is pinned as evidence' : 'is no evidence any more'
	const message = entry === null ? `Entry ${named} was so already; nothing was added.` : `Entry ${found?.seq ?? named} ${done}.`
	printObject(output, sub.spec.name, {entry: named, reason}, entry, message, entry?.id ?? null)
	return 0
}

/** By number or id. */
async function findEntry(log: IncidentLog, named: string): Promise<LogEntry | undefined> {
	if (!/^\d{1,9}$/.test(named)) return await log.entry(named)
	const [entry] = (await log.query({after: Number(named) - 1, limit: 1})).entries
	return entry?.seq === Number(named) ? entry : undefined
}

/** 1 when the hash chain is broken, for scripts. */
async function verifyLog(sub: Sub, {profile}: Session, host: CliHost, output: Output): Promise<number> {
	const reason = optionOf(sub, 'begin-anew')?.trim()
	if (reason === '') throw usage('The reason is empty', 'write why the log was begun anew', 'begin-anew')
	if (reason !== undefined) {
		await profile.log.beginAnew(reason, 'cli')
		const {activeIncident} = profile.settings.get()
		const isKnown = (await profile.log.incidents()).some(({id}) => id === activeIncident)
		if (!isKnown) profile.settings.set({activeIncident: null})
	}
	const state = await profile.log.verify(host.signal)
	const {checked, head, broken} = state
	const holds = head === null ? 'The log is empty.' : `Hash chain intact: ${checked} entries. Newest: ${head.seq} ${head.hash}`
	const message =
		broken === null
			? holds
			: `The chain is broken at entry ${broken.seq}${broken.at === null ? '' : ` of ${broken.at}`}: ${broken.what}. The ${checked} entries before it are as they were written.`
	printObject(output, 'log verify', {}, state, message)
	return broken === null ? 0 : 1
}

/** The newest entries, oldest first, page by page. */
async function newest(
	{profile}: Session,
	filter: Filter,
	limit: number,
): Promise<{readonly entries: readonly LogEntry[]; readonly matching: number}> {
	const entries: LogEntry[] = []
	let matching = 0
	let before: number | undefined
	while (entries.length < limit) {
		const page = await profile.log.query({
			...filter,
			limit: Math.min(largestPage, limit - entries.length),
			...(before !== undefined && {before}),
		})
		if (before === undefined) matching = page.matching
		entries.push(...page.entries)
		before = Math.min(...page.entries.map(({seq}) => seq))
		if (!page.more || page.entries.length === 0) break
	}
	return {entries: entries.toSorted((left, right) => left.seq - right.seq), matching}
}

function readFilter(sub: Sub, now: number): Filter {
	const text = (name: string) => optionOf(sub, name)
	const [search, command, target, since] = [text('text'), text('command'), text('target'), text('since')]
	const [until, hash, operator] = [text('until'), text('hash'), text('by')]
	const {incident} = sub.globals
	return {
		...(search !== undefined && {text: search}),
		...(command !== undefined && {command}),
		...(target !== undefined && {target: target.toLowerCase()}),
		...(since !== undefined && {since: readSince(since, now)}),
		...(until !== undefined && {until: readSince(until, now, 'until')}),
		...(hash !== undefined && {hash}),
		...(operator !== undefined && {operator}),
		...(sub.options.has('pinned') && {pinned: true}),
		...(incident !== undefined && {incident}),
		...(sub.options.has('writes') && {writesOnly: true}),
	}
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

function cells(entry: LogEntry): readonly string[] {
	const what = entry.command === null ? entry.kind : `${entry.command} ${entry.kind.replace('command.', '')}`
	return [entry.at, what, entry.operator, entry.connection?.name ?? '', entry.message]
}
