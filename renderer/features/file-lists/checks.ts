/** Arguments for and against adding a hash to a list, before anything is sent: pure. */
import type {FileListRow, KnownHash} from '#contract/directory.ts'
import {itemsKnown} from '#model/file-list.ts'
import {readFileHash} from '#model/file-hash.ts'
import {additionMarks, saysClean, saysMalicious, type HashFacts, type ListPlace} from '#model/hash-marks.ts'
import {lintLevels, type LintLevel} from '#model/list-draft.ts'
import {counted, formOf, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {percentOf} from './words.ts'

export interface Finding {
	level: LintLevel
	message: string
}

export interface CheckInput {
	/** As typed. */
	hash: string
	list: FileListRow | undefined
	/** `undefined` until the local copy has answered. */
	known: KnownHash | undefined
	/** Number of computers that have seen it, by the service; `null`: not queried. */
	prevalence: number | null
	/** The guard rules' limit of a prevalent file. */
	prevalentFrom: number
	/** All computers of the local copy. */
	computers: number | null
}

/** Most severe first. Empty without a hash. */
export function findingsOf(input: CheckInput): readonly Finding[] {
	const {list, known, prevalence, computers} = input
	const read = readFileHash(input.hash)
	if (read.kind === 'nothing') return []
	if (read.kind === 'problem') return [refused(read.message)]
	const place = list === undefined || known === undefined ? null : placeOf(list, known)
	const found = [
		...(list === undefined || list.vanishedAt === null ? [] : [refused('This list was deleted elsewhere.')]),
		...additionMarks(read.value, place, factsOf(input, place), input.prevalentFrom),
		...(known === undefined ? [] : [seenNote(known.seen)]),
		...(prevalence === null ? [] : [prevalenceNote(prevalence, computers)]),
		...(list === undefined ? [] : [effectNote(list)])
	]
	return found.toSorted((a, b) => lintLevels.indexOf(a.level) - lintLevels.indexOf(b.level))
}

/** Refused, whatever is typed: forbidden, or nothing to do. */
export function isStopped({level}: Finding) {
	return level === 'refused' || level === 'idle'
}

/** Whether it needs a typed confirmation. */
export function isDangerous(findings: readonly Finding[]) {
	return findings.some(({level}) => level === 'red')
}

/** In this list already, in others of the same effect, or in opposite ones. */
function placeOf(list: FileListRow, {holding}: KnownHash): ListPlace {
	const own = holding.find(held => held.list.guid === list.guid)
	const others = holding.filter(held => held.list.guid !== list.guid && held.list.vanishedAt === null)
	return {type: list.type, note: own?.item.description ?? null, read: itemsKnown(list) === 'whole', elsewhere: others.map(held => held.list)}
}

/** The number of computers is the service's or that of stored events, whichever is higher. */
function factsOf({known, prevalence}: CheckInput, place: ListPlace | null): HashFacts {
	if (known === undefined) return {prevalence}
	const {seen, systemFile} = known
	return {
		prevalence: Math.max(seen.computers, prevalence ?? 0),
		clean: saysClean(seen.dispositions),
		// Only a list that would let it run makes it a danger.
		malicious: place !== null && saysMalicious(seen.dispositions),
		...(systemFile !== null && {systemFile})
	}
}

function refused(message: string): Finding {
	return {level: 'refused', message}
}

function noted(message: string): Finding {
	return {level: 'plain', message}
}

function seenNote({computers, names}: KnownHash['seen']): Finding {
	if (computers === 0) return noted('No stored event names it.')
	const called = names.length === 0 ? '' : ` as ${named(names)}`
	return noted(`Stored events name it on ${formatCount(computers)} ${computersWord(computers)}${called}.`)
}

function named(names: readonly string[]) {
	return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} other names` : names.join(', ')
}

function prevalenceNote(prevalence: number, computers: number | null) {
	if (prevalence === 0) return noted('The service knows no computer that has seen it.')
	const of = computers === null || computers === 0 ? '' : ` of ${formatCount(computers)} (${percentOf(prevalence, computers)})`
	return noted(`The service says that ${formatCount(prevalence)}${of} ${computersWord(prevalence)} have seen it.`)
}

function computersWord(count: number) {
	return formOf(count, nouns.computer)
}

/** Who is affected by the list. */
export function effectNote({covered}: Pick<FileListRow, 'covered'>): Finding {
	if (covered === null) return noted('How many computers enforce this list is not known yet.')
	if (covered > 0) return noted(`${counted(covered, ['computer enforces', 'computers enforce'])} this list.`)
	const message = 'No computer enforces this list: nothing follows from it until a policy uses it.'
	return {level: 'amber', message}
}
