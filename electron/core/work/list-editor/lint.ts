/** What speaks against a staged change, row by row (UX research 3.6 and SR15). Pure: facts come in. */
import {notSha256} from '#model/file-hash.ts'
import {isSha256} from '#model/formats.ts'
import {additionMarks, removalMarks, saysClean, saysMalicious, type HashFacts, type Holder} from '#model/hash-marks.ts'
import {lintLevels, type DraftRow, type LintKind, type LintLevel, type LintMark} from '#model/list-draft.ts'

/** How long a note may be is not documented (API reference, "File lists": maximum not found). */
const usualNote = 255

/** What is known of all hashes of a draft; keys are lower case. */
export interface LintFacts {
	/** What the list is a list of. */
	type: string
	/** Those that are on the list itself. */
	here: ReadonlySet<string>
	/** All items of the list were read. */
	listRead: boolean
	elsewhere: ReadonlyMap<string, readonly Holder[]>
	seen: ReadonlyMap<string, {computers: number; dispositions: readonly string[]}>
	/** Asked of the service. */
	prevalence: ReadonlyMap<string, number>
	/** From this many computers on a file is a common one. */
	prevalentFrom: number
	/** Files of this computer's own system, by hash. */
	systemFiles: ReadonlyMap<string, string>
}

export type StagedRow = Omit<DraftRow, 'sha256' | 'marks' | 'verdict' | 'prevalence'>

export function linted(row: StagedRow, facts: LintFacts): DraftRow {
	const sha256 = isSha256(row.key) ? row.key : null
	const marks = [...(sha256 === null ? [noHash(row.key)] : marksOf(sha256, row, facts)), ...noteMarks(row)]
	return {...row, sha256, marks, prevalence: facts.prevalence.get(row.key) ?? null, verdict: verdictOf(marks, row.reason)}
}

function verdictOf(marks: readonly LintMark[], reason: string | null) {
	const worst = lintLevels.find(level => marks.some(one => one.level === level))
	if (worst === undefined || worst === 'plain') return 'ready'
	// Nothing to do stays nothing to do, however bad the hash is.
	if (worst !== 'refused' && marks.some(({level}) => level === 'idle')) return 'idle'
	return worst === 'red' && reason !== null ? 'ready' : worst
}

function noHash(text: string) {
	const {kind, message} = notSha256(text)
	return mark(kind, 'refused', message)
}

function marksOf(sha256: string, row: StagedRow, facts: LintFacts) {
	const repeated: LintMark[] = row.given > 1 ? [mark('duplicate', 'plain', `It was given ${row.given} times and is counted once.`)] : []
	const {type, here, listRead: read, elsewhere} = facts
	const place = {type, read, note: here.has(sha256) ? '' : null, elsewhere: elsewhere.get(sha256) ?? []}
	const adds = row.operation === 'add'
	return [...repeated, ...(adds ? additionMarks(sha256, place, fileFacts(sha256, facts), facts.prevalentFrom) : removalMarks(place))]
}

/** The number of computers is that of the service or of stored events, whichever is higher. */
export function fileFacts(sha256: string, known: Pick<LintFacts, 'seen' | 'prevalence' | 'systemFiles'>): HashFacts {
	const seen = known.seen.get(sha256)
	const prevalence = Math.max(seen?.computers ?? 0, known.prevalence.get(sha256) ?? 0)
	const path = known.systemFiles.get(sha256)
	const said = seen?.dispositions ?? []
	const facts = {prevalence, clean: saysClean(said), malicious: saysMalicious(said)}
	return {...facts, ...(path !== undefined && {systemFile: path})}
}

function noteMarks({note}: StagedRow) {
	if (note.length <= usualNote) return []
	return [mark('long_note', 'amber', `The note has ${note.length} characters; how many the service takes is not known.`)]
}

function mark(kind: LintKind, level: LintLevel, message: string) {
	return {kind, level, message}
}
