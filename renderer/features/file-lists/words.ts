import type {FileListRow, KnownHash} from '#contract/directory.ts'
import type {ComputerRow} from '#model/computer.ts'
import {itemsKnown, listKind} from '#model/file-list.ts'
import {counted, formatCount, formatShare} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import type {Tone} from '#ui/chart/theme.ts'

interface KindEffect {
	/** Heading of its lists. */
	title: string
	/** Effect of a hash on it. */
	effect: string
}

const kinds: Readonly<Record<string, KindEffect>> = {
	simple_custom_detections: {title: 'Simple custom detections', effect: 'Matching files are quarantined.'},
	application_blocking: {
		title: 'Application blocking',
		effect: 'Programs of these hashes do not start. It acts on programs only, and not where file conviction is set to Audit.'
	},
	allowed_applications: {title: 'Allowed applications', effect: 'Matching files are allowed.'}
}

interface KindWords extends KindEffect {
	/** Singular. */
	one: string
}

export function kindWords(type: string): KindWords {
	const one = listKind(type)
	return {...(kinds[type] ?? {title: one, effect: ''}), one}
}

/** Kinds always shown, in this order; others follow if present. */
export const shownKinds = ['simple_custom_detections', 'application_blocking'] as const

const itemsOfCall = 500

/** The cost of loading all items of a list; `null` while their number is unknown. */
export function readCalls(list: Pick<FileListRow, 'items' | 'itemsRead'>) {
	const count = list.itemsRead.of ?? list.items
	return count === null ? null : Math.max(1, Math.ceil(count / itemsOfCall))
}

export function callWords(calls: number | null) {
	if (calls === null) return 'cost unknown'
	return counted(calls, nouns.call)
}

/** Lists that may contain a hash beside those that are known to. */
export function unreadOf(lists: readonly FileListRow[], holding: KnownHash['holding']): readonly FileListRow[] {
	return lists.filter(list => itemsKnown(list) !== 'whole' && !holding.some(held => held.list.guid === list.guid))
}

/** `720`, `500 of 720`, `≥ 500`, or `?` before the first load. */
export function countWords(list: FileListRow) {
	const {read, of} = list.itemsRead
	const known = itemsKnown(list)
	if (known === 'reading' || known === 'part') return of === null ? `≥ ${formatCount(read)}` : `${formatCount(read)} of ${formatCount(of)}`
	return list.items === null ? '?' : formatCount(list.items)
}

/** `4,120 of 18,240`, or `?` while policies or counts are not loaded. */
export function coveredWords(covered: number | null, all: number | null) {
	return covered === null || all === null ? '?' : `${formatCount(covered)} of ${formatCount(all)}`
}

/** A part is never rounded to 0% or 100%. */
export function percentOf(part: number, all: number) {
	return all === 0 ? '–' : formatShare(part / all)
}

/** Colours of a coverage's parts, always beside words. */
export const partTones: Readonly<Record<string, Tone>> = {
	enforced: 'ok',
	other_list: 'accent',
	no_list: 'warn',
	no_policy: 'bad',
	product_without_list: 'faint',
	unknown: 'dim'
}

const namedFree = 5

/**
 * Who saw a hash, and who of them does not block it. `rows`: those of the computers that were looked at; `count`: how many saw it;
 * `isAll`: nobody else has; `unread`: blocking lists that may contain it too, `null` before all lists are known.
 */
export function answerWords(
	rows: readonly Pick<ComputerRow, 'hostname' | 'guid' | 'policyGuid'>[],
	count: number,
	blocking: readonly Pick<FileListRow, 'name' | 'policies'>[],
	isAll: boolean,
	unread: number | null
) {
	const seen = count === 0 ? 'Seen on no computer in stored events' : `Seen on ${isAll ? '' : 'at least '}${counted(count, nouns.computer)}`
	const open =
		unread === null
			? '; not all file lists have been loaded'
			: unread === 0
				? ''
				: `; ${counted(unread, ['blocking list', 'blocking lists'])} not fully loaded`
	if (blocking.length === 0) return `${seen}, ${unread === 0 ? 'blocked nowhere' : 'on no loaded blocking list'}${open}.`
	const lists = `on ${blocking.map(({name}) => name).join(', ')}`
	if (count === 0) return `${seen}, ${lists}${open}.`
	if (blocking.some(({policies}) => policies === null)) return `${seen}, ${lists}; who enforces it is not known yet.`
	const policies = new Set(blocking.flatMap(list => list.policies ?? []).map(({guid}) => guid))
	const free = rows.filter(({policyGuid}) => !policies.has(policyGuid))
	const rest = count - rows.length
	const unchecked = rest === 0 ? '' : `, ${formatCount(rest)} not checked`
	if (free.length === 0) return `${seen}, ${lists}; ${rest === 0 ? 'all of them' : formatCount(rows.length)} enforce it${unchecked}.`
	const names = free.slice(0, namedFree).map(({hostname, guid}) => hostname || guid)
	const more = free.length > namedFree ? ` and ${formatCount(free.length - namedFree)} more` : ''
	return `${seen}, ${lists}; not enforced by ${names.join(', ')}${more}${unchecked}${open}.`
}
