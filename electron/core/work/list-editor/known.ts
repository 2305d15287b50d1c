/** What is known on this computer of hashes that are to be put on a list, as the guards need it. */
import {existsSync} from 'node:fs'
import {join} from 'node:path'

import {factsOnList, type HashFacts} from '#model/hash-marks.ts'

import type {KnownHashes} from '#core/actions/guards/targets.ts'
import {openDrafts, type Drafts} from './drafts.ts'
import {fileFacts, type LintFacts} from './lint.ts'
import {keptSystemFiles, systemFilesName, type SystemFiles} from './system-files.ts'
import type {EditorSource} from './types.ts'

interface KnownDependencies {
	/** What stored events say. */
	seen: LintFacts['seen']
	/** Prevalence of a hash at the service, if queried. */
	asked: ReadonlyMap<string, number>
	/** Paths of this computer's own system, by hash. */
	paths: ReadonlyMap<string, string>
}

/** What of it counts, for one hash. */
type Counting = (hash: string, facts: HashFacts) => HashFacts

/** On an unknown list every mark counts, except those that only argue against allowing: blocking is not made harder. */
function anyList(_hash: string, facts: HashFacts): HashFacts {
	return {...facts, malicious: false}
}

/** Keys are lower case. */
export function knownHashes(
	hashes: readonly string[],
	{seen, asked, paths}: KnownDependencies,
	counting: Counting = anyList
): ReadonlyMap<string, HashFacts> {
	const known = {seen, prevalence: asked, systemFiles: paths}
	return new Map(hashes.map(hash => [hash, counting(hash, fileFacts(hash, known))]))
}

/** On the list that they are to be put on; all counts where the list is not known here. */
function countingOn(copies: EditorSource, guid: string | undefined, hashes: readonly string[]): Counting | undefined {
	const list = guid === undefined ? undefined : copies.list(guid)
	if (list === undefined) return undefined
	const {elsewhere} = copies.holdings(list, hashes)
	return (hash, facts) => factsOnList(list.type, elsewhere.get(hash) ?? [], facts)
}

/** Prevalence from any draft of the connection: it was asked of the same service. Drafts and files are opened when asked. */
export function knowledgeOf(
	open: () => {drafts: Pick<Drafts, 'prevalenceOf'>; systemFiles: Pick<SystemFiles, 'known'>},
	source: (connection: string) => EditorSource
): KnownHashes {
	return (connection, hashes, list) => {
		const {drafts, systemFiles} = open()
		const copies = source(connection)
		const parts = {seen: copies.seen(hashes), asked: drafts.prevalenceOf(connection), paths: systemFiles.known()}
		return knownHashes(hashes, parts, countingOn(copies, list?.toLowerCase(), hashes))
	}
}

/** What an earlier console left in the profile, for a program that keeps no editor open. */
export function keptKnowledge(profile: string, connection: string): Omit<KnownDependencies, 'seen'> {
	const files = join(profile, systemFilesName)
	return {asked: askedIn(profile, connection), paths: existsSync(files) ? keptSystemFiles(files) : new Map()}
}

function askedIn(profile: string, connection: string): KnownDependencies['asked'] {
	if (!existsSync(join(profile, 'drafts.db'))) return new Map()
	const drafts = openDrafts(profile)
	try {
		return drafts.prevalenceOf(connection)
	} finally {
		// Nothing is being changed: it is closed at once.
		void drafts.stop()
	}
}
