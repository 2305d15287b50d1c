/**
 * Arguments against adding a hash to a file list: the common rules and sentences of the dialog of one hash, the editor, jobs and
 * the guards. Pure: callers provide the facts.
 */
import {counted, formOf} from '../text/numbers.ts'
import {nouns} from '../text/terms.ts'

import {commonContent, emptyFileHash, isPlaceholder} from './file-hash.ts'
import {isBlocking, listKind} from './file-list.ts'
import type {LintKind, LintLevel, LintMark} from './list-draft.ts'

/** Another list with the hash. */
export interface Holder {
	readonly name: string
	readonly type: string
}

export interface HashFacts {
	/** Number of computers that have seen it; `null`: not queried. */
	prevalence?: number | null
	/** Clean by stored events. */
	clean?: boolean
	/** Malicious by stored events. */
	malicious?: boolean
	/** The file of this computer's own system with this hash. */
	systemFile?: string
	/** Lists of the opposite effect. */
	contradicts?: readonly Holder[]
}

/** The target list, and others. */
export type ListPlace = Readonly<{
	type: string
	/** Its note there; `null`: not there, as far as the list is loaded. */
	note: string | null
	/** Whether the list is completely loaded. */
	read: boolean
	elsewhere: readonly Holder[]
}>

/** `place` is `null` until a list is chosen. */
export function additionMarks(sha256: string, place: ListPlace | null, facts: HashFacts, prevalentFrom: number): readonly LintMark[] {
	const refusal = neverListed(sha256)
	const counting = place === null ? facts : factsOnList(place.type, place.elsewhere, facts)
	return [...(refusal === null ? [] : [refusal]), ...(place === null ? [] : placeMarks(place)), ...dangersOf(sha256, counting, prevalentFrom)]
}

/** An allowing list is the right place for a harmless file: only contradicting lists matter there. */
export function factsOnList(type: string, elsewhere: readonly Holder[], facts: HashFacts): HashFacts {
	const contradicts = elsewhere.filter(other => isBlocking(other.type) !== isBlocking(type))
	// A blocking list is the right place for a malicious file.
	if (isBlocking(type)) return {...facts, malicious: false, contradicts}
	return {contradicts, ...(facts.malicious === true && {malicious: true})}
}

/** Regardless of any reason. */
export function neverListed(sha256: string): LintMark | null {
	if (sha256.toLowerCase() === emptyFileHash)
		return mark('empty_file', 'refused', 'This is the hash of the empty file, which is on every computer.')
	return isPlaceholder(sha256) ? mark('placeholder', 'refused', 'One digit repeated: this is a placeholder, not the hash of a file.') : null
}

/** From the content alone. */
export function contentMark(sha256: string): LintMark | null {
	return neverListed(sha256) ?? commonMark(sha256, undefined)
}

/** Facts that need a reason and a typed confirmation. `label` names the hash among several. */
export function dangersOf(
	sha256: string,
	{prevalence = null, clean = false, malicious = false, systemFile, contradicts = []}: HashFacts,
	prevalentFrom: number,
	label?: string
): readonly LintMark[] {
	const [it, object] = label === undefined ? ['It', 'it'] : [label, label]
	return [
		commonMark(sha256, label),
		...contradicts.map(({name, type}) => red('contradicts', `${it} is on ${name}, a list of ${listKind(type)}: the two contradict each other.`)),
		malicious ? red('seen_malicious', `Stored events call ${object} malicious: this list would let it run.`) : null,
		clean ? red('seen_clean', `Stored events call ${object} clean.`) : null,
		prevalence !== null && prevalence >= prevalentFrom
			? red('prevalent', `${it} was seen on ${computers(prevalence)}: that looks like a file of the system.`)
			: null,
		systemFile === undefined ? null : red('system_file', `This computer's own system has ${object}: ${systemFile}.`)
	].filter(each => each !== null)
}

function commonMark(sha256: string, label = 'This') {
	const content = commonContent(sha256)
	return content === null ? null : red('common_content', `${label} is the hash of ${content}: such files are on almost every computer.`)
}

function computers(count: number) {
	return counted(count, nouns.computer)
}

function placeMarks(place: ListPlace) {
	const others = [...Map.groupBy(place.elsewhere, ({type}) => type)]
	const agreeing = others.filter(([type]) => isBlocking(type) === isBlocking(place.type))
	return [
		...(place.note === null ? [] : [mark('already_there', 'idle', alreadyThere(place.note))]),
		...(place.note === null && !place.read ? [unread] : []),
		...agreeing.map(([type, lists]) => elsewhereMark(lists, type === place.type))
	]
}

function elsewhereMark(lists: readonly Holder[], isSameKind: boolean) {
	const names = lists.map(({name}) => name).join(', ')
	const kind = listKind(lists[0]?.type ?? '')
	return isSameKind
		? mark('other_list', 'plain', `It is also on ${names}.`)
		: mark('other_kind', 'amber', `It is also on ${names}, ${formOf(lists.length, ['a list', 'lists'])} of ${kind}.`)
}

export function alreadyThere(note = '') {
	return `It is on the list already${note === '' ? '' : `, with the note “${note}”`}.`
}

/** Arguments against removing one. */
export function removalMarks({note, read}: Pick<ListPlace, 'note' | 'read'>): readonly LintMark[] {
	if (note !== null) return []
	return read ? [mark('not_there', 'idle', notThere)] : [unread]
}

export const notThere = 'It is not on the list.'

const unread = mark('list_unread', 'plain', 'The list was not fully loaded. Whether it contains the hash is unknown.')

/** Stored events use the service's words for dispositions. */
export function saysClean(dispositions: readonly string[]) {
	return dispositions.some(word => word.toLowerCase() === 'clean')
}

export function saysMalicious(dispositions: readonly string[]) {
	return dispositions.some(word => ['malicious', 'blocklisted'].includes(word.toLowerCase()))
}

function red(kind: LintKind, message: string) {
	return mark(kind, 'red', message)
}

function mark(kind: LintKind, level: LintLevel, message: string): LintMark {
	return {kind, level, message}
}
