import type {CompletionSource} from '../commands/define.ts'

/** A filter language's description of a field. */
export interface FieldSpec<Kind extends string> {
	readonly title: string
	readonly kind: Kind
	/** Other accepted spellings. */
	readonly aliases: readonly string[]
	readonly summary: string
	/** The source of completion values, and which half of a suggestion to insert. */
	readonly ask: {source: CompletionSource; take: 'value' | 'label'} | null
}

/** A field in one line. */
export function spec<Kind extends string>(
	title: string,
	kind: Kind,
	aliases: readonly string[],
	summary: string,
	ask: FieldSpec<Kind>['ask'] = null
): FieldSpec<Kind> {
	return {title, kind, aliases, summary, ask}
}

/** A filter language's fields by typed names. */
export interface FieldNames<F extends string> {
	/** The field of a typed name; ignores case, and `-` equals `_`. */
	named(typed: string): F | undefined
	/** The field with the most similar spelling. */
	nearest(typed: string): F | undefined
	/** Fields with a spelling of that prefix, in order. */
	beginning(typed: string): readonly F[]
}

/** `any`, the field of bare words, has no name to type. */
export function fieldNames<F extends string>(
	fields: readonly F[],
	specs: Readonly<Record<F, Pick<FieldSpec<string>, 'aliases'>>>
): FieldNames<F> {
	const known = fields.filter(field => field !== 'any')
	const spellings = new Map(known.flatMap(field => [field, ...specs[field].aliases].map(spelling => [spelling, field] as const)))
	const all = [...spellings]
	return {
		named: typed => spellings.get(plain(typed)),
		nearest: typed => {
			const spelling = nearest(typed.toLowerCase(), [...spellings.keys()])
			return spelling === undefined ? undefined : spellings.get(spelling)
		},
		beginning: typed => {
			const begun = plain(typed)
			return [...new Set(all.filter(([spelling]) => spelling.startsWith(begun)).map(([, field]) => field))]
		}
	}
}

function plain(typed: string) {
	return typed.toLowerCase().replaceAll('-', '_')
}

/** The known word probably meant: a longer form, or at most two edits away. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
	if (typed === '') return undefined
	const longer = typed.length > 1 ? known.find(word => word.startsWith(typed)) : undefined
	if (longer !== undefined) return longer
	const allowed = typed.length > 4 ? 2 : 1
	const ranked = known.map(word => ({word, slips: distance(typed, word)})).toSorted((a, b) => a.slips - b.slips)
	const best = ranked[0]
	return best !== undefined && best.slips <= allowed ? best.word : undefined
}

/** Levenshtein distance: letters to insert, drop or replace. */
function distance(a: string, b: string) {
	let row = Array.from({length: b.length + 1}, (_, index) => index)
	for (const [i, left] of [...a].entries()) {
		const next = [i + 1]
		for (const [j, right] of [...b].entries()) {
			const replaced = (row[j] ?? 0) + (left === right ? 0 : 1)
			next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
		}
		row = next
	}
	return row[b.length] ?? 0
}
