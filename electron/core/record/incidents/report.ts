/** The log of an incident as a report for people: Markdown, or a page without scripts. Oldest first. */
import {formatLine} from '#shared/commands/parse.ts'
import {findCommand} from '#shared/commands/catalogue.ts'
import {stringifyExact} from '#model/exact-json.ts'
import {showUnseen} from '#text/foreign.ts'
import {type EntryKind, type Incident, isMissed, type LogEntry, type Pin, whyOf} from '#model/incident.ts'

import type {Pins} from './export.ts'
import {inHtml, inMarkdown, inMarkdownLines, stamp} from './report-text.ts'

interface ReportHead {
	/** `null`: the report is about a search, not about one incident. */
	incident: Incident | null
	at: string
	pins: Pins
}

const words: Readonly<Record<EntryKind, string>> = {
	'command.requested': 'Requested',
	'command.succeeded': 'Succeeded',
	'command.failed': 'Failed',
	'command.outcome_unknown': 'Outcome unknown',
	'command.observed': 'Confirmed',
	'secret.revealed': 'Secret revealed',
	note: 'Note',
	'evidence.pinned': 'Pinned as evidence',
	'evidence.unpinned': 'No longer pinned',
	'connection.changed': 'Connection',
	'lease.changed': 'Lease',
	'forwarding.changed': 'Forwarding',
	'incident.opened': 'Incident opened',
	'incident.closed': 'Incident closed',
	'managed.changed': 'Managed configuration',
	'session.changed': 'Browser of the console',
	'detection.changed': 'Detection group',
	'incident.reopened': 'Incident reopened'
}

/** Entries of one change, its first one first. */
type ChangeEntries = readonly [LogEntry, ...LogEntry[]]

/** A section for each change, headed by the last thing known of it; its entries stand below. */
export async function* markdownOf(head: ReportHead, changes: AsyncIterable<ChangeEntries>): AsyncIterable<string> {
	yield `# ${inMarkdown(titleOf(head))}\n\n${markdownList(factsOf(head))}`
	for await (const [first, ...steps] of changes) {
		const last = steps.at(-1)
		if (last === undefined) yield sectionOf('##', first, head)
		else {
			yield `## ${stamp(first.at)} · ${kindOf(last)}\n\n${inMarkdown(`${first.message} ${last.message}`)}\n\n`
			if (whyFacts(first).length > 0) yield markdownList(whyFacts(first))
			for (const entry of [first, ...steps]) yield sectionOf('###', entry, head)
		}
	}
}

function sectionOf(level: string, entry: LogEntry, {pins}: ReportHead) {
	const details = markdownList(detailsOf(entry, pins.get(entry.id)))
	return `${level} ${stamp(entry.at)} · ${kindOf(entry)}\n\n${inMarkdownLines(entry.message)}\n\n${details}`
}

function markdownList(facts: Facts) {
	return `${facts.map(([name, value]) => `- ${name}: ${name === 'Command' ? inCode(value) : inMarkdown(value)}\n`).join('')}\n`
}

const style =
	'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#14181f;overflow-wrap:anywhere}' +
	'section{border-top:1px solid #c5ccd6;padding:.5rem 0}h2{font-size:1rem;margin:.4rem 0}' +
	'section section{margin-left:1rem}summary{cursor:pointer}' +
	'dl{display:grid;grid-template-columns:8rem 1fr;gap:.1rem 1rem;margin:.4rem 0}dd{margin:0}p{white-space:pre-line}' +
	'dt{color:#4a5464}code{font-family:ui-monospace,monospace}' +
	'@media print{summary{display:none}details::details-content{content-visibility:visible}}'

/** One line for each change, with the last thing known of it; its entries open inside. */
export async function* htmlOf(head: ReportHead, changes: AsyncIterable<ChangeEntries>): AsyncIterable<string> {
	const title = inHtml(titleOf(head))
	yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
	yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
	yield `<title>${title}</title><style>${style}</style></head><body>\n<h1>${title}</h1>\n${listOf(factsOf(head))}\n`
	for await (const [first, ...steps] of changes) {
		const last = steps.at(-1)
		if (last === undefined) yield `<section>${bodyOf(first, head)}</section>\n`
		else {
			yield `<section><h2>${timeOf(first)} · ${kindOf(last)}</h2><p>${inHtml(first.message)} ${inHtml(last.message)}</p>`
			yield `${listOf(whyFacts(first))}<details><summary>${steps.length + 1} entries</summary>`
			for (const entry of [first, ...steps]) yield `<section>${bodyOf(entry, head)}</section>`
			yield '</details></section>\n'
		}
	}
	yield '</body></html>\n'
}

function timeOf({at}: LogEntry) {
	return `<time datetime="${inHtml(at)}">${stamp(at)}</time>`
}

function bodyOf(entry: LogEntry, {pins}: ReportHead) {
	return `<h2>${timeOf(entry)} · ${kindOf(entry)}</h2><p>${inHtml(entry.message)}</p>${listOf(detailsOf(entry, pins.get(entry.id)))}`
}

function whyFacts(entry: LogEntry) {
	const {reason, ticket} = whyOf(entry)
	const facts: Facts = [
		['Reason', reason],
		['Ticket', ticket]
	]
	return facts.filter(([, value]) => value !== '')
}

type Facts = readonly (readonly [name: string, value: string])[]

function titleOf({incident}: ReportHead) {
	return incident === null ? 'Incident log' : `Incident: ${incident.title}`
}

function factsOf({incident, at}: ReportHead): Facts {
	const own: Facts =
		incident === null
			? []
			: [
					['Reference', incident.reference],
					['State', incident.open ? 'open' : 'closed'],
					['Opened', stamp(incident.openedAt)],
					['Closed', incident.closedAt === null ? '' : stamp(incident.closedAt)],
					['Entries', String(incident.entries)]
				]
	return [...own, ['Report of', `${stamp(at)}; times are UTC`] as const].filter(([, value]) => value !== '')
}

function detailsOf(entry: LogEntry, pin: Pin | undefined) {
	const facts: Facts = [
		['Evidence', pin === undefined ? '' : pinnedText(pin)],
		['Target', entry.target === null ? '' : `${entry.target.label} (${entry.target.guid})`],
		['Command', lineOf(entry)],
		['By', entry.operator],
		['Connection', entry.connection?.name ?? ''],
		['HTTP status', entry.status === null ? '' : String(entry.status)],
		['Request', entry.requestId ?? ''],
		['Data', entry.data === null ? '' : stringifyExact(entry.data)],
		['Entry', `${entry.seq} ${entry.id}`]
	]
	return facts.filter(([, value]) => value !== '')
}

function pinnedText({at, by, reason}: Pin) {
	return `pinned ${stamp(at)} by ${by}${reason === '' ? '' : `: ${reason}`}`
}

/** As it can be typed again; secrets were masked when the entry was written. */
function lineOf({command, args}: LogEntry) {
	if (command === null) return ''
	const texts = Object.entries(args ?? {}).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
	const spec = findCommand(command)
	return spec === undefined ? command : `!${formatLine(spec.name, Object.fromEntries(texts))}`
}

function kindOf(entry: LogEntry) {
	return isMissed(entry) ? 'Not confirmed' : words[entry.kind]
}

function inCode(text: string) {
	const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length)) + 1)
	return `${fence} ${showUnseen(text.replace(/[\r\n]+/g, ' '))} ${fence}`
}

function listOf(facts: Facts) {
	return `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${inHtml(value)}</dd>`).join('')}</dl>`
}
