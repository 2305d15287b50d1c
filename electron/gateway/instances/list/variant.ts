/**
 * The requested form of a list: the query arguments of the original service (route description, 2.2), parsed strictly. An unknown
 * argument that would narrow or change the list is refused rather than ignored: a firewall keeps its last list on an error, but
 * would use a wrong list.
 */
import type {ListService} from '#model/instance.ts'

export interface Variant {
	readonly format: ListService['format']
	/** Maximum number of values, after an offset. */
	readonly limit: number
	readonly offset: number
	readonly stripPort: boolean
	readonly stripProtocol: boolean
	readonly dropInvalid: boolean
	readonly collapse: ListService['collapse']
	readonly commentIfEmpty: boolean
	/** CSV is sent as `text/plain`. */
	readonly csvAsText: boolean
}

export function defaultVariant({format, size, stripPort, stripProtocol, dropInvalid, collapse, commentIfEmpty}: ListService): Variant {
	const csvAsText = false
	return {format, limit: size, offset: 0, stripPort, stripProtocol, dropInvalid, collapse, commentIfEmpty, csvAsText}
}

/** Variants with the same key have the same bytes; `csvAsText` changes only a header. */
export function variantKey({csvAsText: _csvAsText, ...variant}: Variant) {
	return JSON.stringify(Object.values(variant))
}

/** The faulty argument, in a sentence. */
type ArgumentProblem = ReturnType<typeof refused>

type Reader = (value: string, variant: Variant) => Partial<Variant> | null

const formats: Readonly<Record<string, Variant['format']>> = {'pan-os (text)': 'text', text: 'text', csv: 'csv', json: 'json'}
const collapses: Readonly<Record<string, Variant['collapse']>> = {0: 'none', 1: 'ranges', 2: 'cidrs'}

const readers = new Map<string, Reader>([
	// The operator's size is a limit: a client may request less, not more.
	['n', (value, {limit}) => count(value, 1, number => ({limit: Math.min(number, limit)}))],
	['s', value => count(value, 0, offset => ({offset}))],
	['v', value => own(formats, value.toLowerCase(), format => ({format}))],
	['tr', value => own(collapses, value, collapse => ({collapse}))],
	['sp', value => flag(value, stripPort => ({stripPort}))],
	['pr', value => flag(value, stripProtocol => ({stripProtocol}))],
	['di', value => flag(value, dropInvalid => ({dropInvalid}))],
	['ce', value => flag(value, commentIfEmpty => ({commentIfEmpty}))],
	['tx', value => flag(value, csvAsText => ({csvAsText}))],
	// For the original's internal cache, which does not exist here.
	['nocache', () => ({})]
])

/** `query`: without its `?`. Names an invalid argument. */
export function readArguments(query: string, given: Variant): Variant | ArgumentProblem {
	const changes: Partial<Variant>[] = []
	const seen = new Set<string>()
	for (const [name, value] of new URLSearchParams(query)) {
		const reader = readers.get(name)
		if (reader === undefined) return refused(name, 'is not supported')
		if (seen.has(name)) return refused(name, 'is given twice')
		seen.add(name)
		const change = reader(value, given)
		if (change === null) return refused(name, 'has a value that is not understood')
		changes.push(change)
	}
	return Object.assign({...given}, ...changes)
}

function refused(name: string, what: string) {
	const shown = name.replaceAll(/[^\w.-]/g, '?').slice(0, 40)
	const known = [...readers.keys()].filter(key => key !== 'nocache').join(', ')
	return {problem: `The argument "${shown}" ${what}. Known arguments: ${known}.`}
}

function count(value: string, least: number, change: (number: number) => Partial<Variant>) {
	return /^\d{1,9}$/.test(value) && Number(value) >= least ? change(Number(value)) : null
}

/** Without a value it means "yes". */
function flag(value: string, change: (on: boolean) => Partial<Variant>) {
	if (/^(?:|true|1|yes|on)$/i.test(value)) return change(true)
	return /^(?:false|0|no|off)$/i.test(value) ? change(false) : null
}

function own<T>(table: Readonly<Record<string, T>>, key: string, change: (found: T) => Partial<Variant>) {
	const found = Object.hasOwn(table, key) ? table[key] : undefined
	return found === undefined ? null : change(found)
}
