/** The editor of file lists on the local copies of this process. */
import {join} from 'node:path'

import type {Guards} from '#core/actions/guards/guards.ts'
import {breaths, ownTurn} from '#base/breaths.ts'
import {createTurns} from '#base/turns.ts'
import {listFileName} from '#base/list-file-name.ts'
import type {Clock} from '#base/ports.ts'
import type {Directories} from '#core/replicas/directory/replica.ts'
import type {EventStores} from '#core/replicas/events/replica.ts'
import {getActivity} from '#core/service/api/endpoints/computers.ts'
import type {Connections} from '#core/service/connections/types.ts'
import {CordonError} from '#contract/errors.ts'
import {itemsKnown} from '#model/file-list.ts'
import {isSha256, normalGuid, normalSha256} from '#model/formats.ts'
import type {Holder} from '#model/hash-marks.ts'
import type {ListDifference} from '#contract/editor.ts'
import type {DraftRow, DraftState, DraftView, HashSource, ListOperation} from '#model/list-draft.ts'
import type {TextFile} from '#model/text-file.ts'
import {csvLine} from '#text/csv.ts'
import {type CommitDependencies, type CommitJobs, planOf, watchCommits} from './commit.ts'
import {type Annotation, type DraftId, type NewRow, openDrafts} from './drafts.ts'
import {knowledgeOf} from './known.ts'
import {linted, type LintFacts, type StagedRow} from './lint.ts'
import {readSource, reportOf} from './sources/read.ts'
import type {ReadSource} from './sources/types.ts'
import {createSystemFiles, systemFilesName, type SystemFiles} from './system-files.ts'
import type {CommitWish, EditedList, EditorSource, ReadyChange} from './types.ts'

interface ListShelfOptions {
	profile: string
	clock: Clock
	connections: Pick<Connections, 'find' | 'client'>
	directories: Pick<Directories, 'open'>
	eventStores: Pick<EventStores, 'open'>
	guards: Pick<Guards, 'rules'>
	onTrouble: (message: string, error: unknown) => void
}

/** What a list editor works with: drafts, the system's own files, and what the local copies know. */
export type ListShelf = ReturnType<typeof createListShelf>

export function createListShelf(options: ListShelfOptions) {
	let opened: Pick<EditorOptions, 'drafts' | 'systemFiles'> | undefined
	const open = () =>
		(opened ??= {
			drafts: openDrafts(options.profile),
			systemFiles: createSystemFiles({path: join(options.profile, systemFilesName), onTrouble: options.onTrouble})
		})
	const source = (connection: string): EditorSource => sourceOf(options, connection)
	return {
		/** The drafts' file is opened when it is first needed. */
		open,
		source,
		/** What is known against hashes, as the guards need it. Keys are lower case. */
		known: knowledgeOf(open, source),
		forget: (connection: string) =>
			void opened?.drafts.forget(connection).catch((error: unknown) => options.onTrouble('Staged changes of a removed connection stay.', error)),
		async stop() {
			await opened?.systemFiles.stop()
			await opened?.drafts.stop()
		}
	}
}

/** The editor of this process, made when it is first asked for. Whoever made it stops it before the shelf. */
export function createListEditors(shelf: ListShelf, jobs: CommitJobs, {clock, onTrouble}: ListShelfOptions) {
	let made: ListEditor | undefined
	return {get: () => (made ??= createListEditor({clock, ...shelf.open(), source: shelf.source, jobs, onTrouble})), stop: () => made?.stop()}
}

function sourceOf(options: ListShelfOptions, connection: string): EditorSource {
	const {id} = options.connections.find(connection)
	const directory = options.directories.open(id)
	const prevalentFrom = () => options.guards.rules(id).prevalentHash
	const lists = () => directory.fileLists().lists
	return {
		list: guid => {
			const row = lists().find(one => one.guid === guid)
			// A failure, perhaps of its details, leaves what was loaded: a commit reads the list again.
			return row && {guid: row.guid, name: row.name, type: row.type, read: itemsKnown({...row, problem: null}) === 'whole'}
		},
		holdings: (list, hashes) => {
			const there = lists().filter(({vanishedAt}) => vanishedAt === null)
			const others = new Map(there.map(({guid, name, type}) => [guid, {name, type}]))
			return split(list, directory.holdings(hashes), others)
		},
		hashesOf: guid => directory.hashesOf(guid),
		seen: hashes => options.eventStores.open(id).seen(hashes),
		prevalence: async (sha256, signal) => {
			const answer = await getActivity(options.connections.client(id), {q: sha256, limit: 1}, {signal})
			return answer.total ?? answer.records.length
		},
		prevalentFrom,
		version: () => [`${directory.state().revision} ${prevalentFrom()}`, options.eventStores.open(id).state().revision]
	}
}

function split(
	list: EditedList,
	held: readonly {sha256: string; guid: string}[],
	others: ReadonlyMap<string, Holder>
): ReturnType<EditorSource['holdings']> {
	const here = new Set<string>()
	const elsewhere = new Map<string, Holder[]>()
	for (const {sha256, guid} of held) {
		const other = others.get(guid)
		if (guid === list.guid) here.add(sha256)
		else if (other !== undefined) {
			const known = elsewhere.get(sha256) ?? []
			known.push(other)
			elsewhere.set(sha256, known)
		}
	}
	return {here, elsewhere}
}

export interface EditorOptions extends CommitDependencies {
	systemFiles: SystemFiles
	source: (connection: string) => EditorSource
}

/** A list has room for so many staged rows; more would be a file to be split, not a change to be looked through. */
const mostRows = 100_000

export type ListEditor = ReturnType<typeof createListEditor>

export function createListEditor(options: EditorOptions) {
	const {drafts, clock, systemFiles} = options
	const look = makeLook(options)
	const unwatch = watchCommits(options)
	const read = (source: HashSource) => readSource(source, clock.now())
	/** What was asked for later is staged later, though it is read sooner. */
	const staging = createTurns()
	const state = async (given: DraftId) => (await look(given)).state
	const changed = async (given: DraftId, change: (id: DraftId) => Promise<void>) => {
		await change(idOf(given))
		return await state(given)
	}
	return {
		inspect: async (source: HashSource) => await reportOf(await read(source)),
		state,
		rows: async (given: DraftId, {view, offset, limit}: {view: DraftView; offset: number; limit: number}) => {
			const {
				rows,
				state: {revision}
			} = await look(given)
			// A draft from before the program was started is compared as well.
			if (rows.length > 0) systemFiles.look()
			const matching = rows.filter(row => isIn(row, view))
			return {rows: matching.slice(offset, offset + limit), offset, matching: matching.length, revision}
		},
		keys: async (given: DraftId, view: DraftView) => {
			const {rows} = await look(given)
			return rows.filter(row => isIn(row, view)).map(({key}) => key)
		},
		stage: async (given: DraftId, operation: ListOperation, source: HashSource) => {
			const id = idOf(given)
			listOf(options.source(id.connection), id.list)
			systemFiles.look()
			const {found, counts} = await staging(async () => {
				const found = await read(source)
				await ownTurn()
				const rows = newRows(found, source.name)
				const check = (keys: readonly string[]) => {
					// The connection may be gone meanwhile.
					listOf(options.source(id.connection), id.list)
					checkRoom(new Set([...keys, ...rows.map(({key}) => key)]).size)
				}
				return {found, counts: await drafts.stage(id, operation, rows, check)}
			})
			return {...counts, report: await reportOf(found), state: await state(id)}
		},
		annotate: (given: DraftId, keys: readonly string[], change: Annotation) => changed(given, id => drafts.annotate(id, keys, change)),
		drop: (given: DraftId, keys: readonly string[]) => changed(given, id => drafts.drop(id, keys)),
		discard: (given: DraftId) => changed(given, id => drafts.discard(id)),
		prevalence: async (given: DraftId, keys: readonly string[], signal?: AbortSignal) => {
			const id = idOf(given)
			const source = options.source(id.connection)
			for (const key of keys.filter(one => isSha256(one))) await drafts.setPrevalence(id, key, await source.prevalence(key, signal))
			return await state(id)
		},
		difference: (given: DraftId, other: Other) => differenceOf(options, idOf(given), other),
		export: async (given: DraftId, format: 'csv' | 'json') => {
			const {rows, state: about} = await look(given)
			return exportDraft(about, rows, format, clock.now())
		},
		/** One plan of what is ready, or of what a job left behind. Throws `usage` when there is nothing, or no full reading. */
		plan: async (given: DraftId, wish: CommitWish, signal?: AbortSignal) => {
			const {
				rows,
				state: {list, listRead: read}
			} = await look(given)
			return await planOf(options, idOf(given), {list: list.name, read, ready: readyOf(rows), wish, signal})
		},
		/** No longer follows the jobs of commits. */
		stop: unwatch
	}
}

function readyOf(rows: readonly DraftRow[]): readonly ReadyChange[] {
	return rows.flatMap(row => (row.sha256 !== null && isIn(row, 'ready') ? [{...row, sha256: row.sha256}] : []))
}

function idOf({connection, list}: DraftId): DraftId {
	return {connection, list: normalGuid(list)}
}

function checkRoom(rows: number) {
	if (rows <= mostRows) return
	throw new CordonError('usage', `A draft holds at most ${mostRows} rows; with this file it would have ${rows}.`, {
		field: 'source',
		fix: 'Commit or discard what is staged, or split the file.'
	})
}

function newRows({found}: ReadSource, source: string): readonly NewRow[] {
	return found.map(({text, note, place}) => ({key: isSha256(text) ? normalSha256(text) : text, note, source, place}))
}

function isIn({verdict}: DraftRow, view: DraftView) {
	return view === 'all' || view === verdict || (view === 'ready' && verdict === 'amber')
}

type Other = {list: string} | {source: HashSource}

async function differenceOf(options: EditorOptions, id: DraftId, other: Other): Promise<ListDifference> {
	const copies = options.source(id.connection)
	const here = new Set(copies.hashesOf(id.list))
	const unread = [listOf(copies, id.list), ...('list' in other ? [listOf(copies, normalGuid(other.list))] : [])]
		.filter(({read}) => !read)
		.map(({name}) => name)
	const there = new Set('list' in other ? copies.hashesOf(normalGuid(other.list)) : await hashesIn(options, other.source))
	return {
		onlyHere: [...here].filter(hash => !there.has(hash)),
		onlyThere: [...there].filter(hash => !here.has(hash)),
		both: [...here].filter(hash => there.has(hash)).length,
		uncertain: unread.length === 0 ? null : `Not read to the end: ${unread.join(', ')}.`
	}
}

async function hashesIn({clock}: EditorOptions, source: HashSource) {
	return (await readSource(source, clock.now())).found.flatMap(({text}) => (isSha256(text) ? [normalSha256(text)] : []))
}

/** The draft with its marks, to be looked through elsewhere; as CSV it can be staged again. */
function exportDraft({list}: DraftState, rows: readonly DraftRow[], format: 'csv' | 'json', now: number): TextFile {
	const day = new Date(now).toISOString().slice(0, 10)
	const name = `${listFileName(list.name)}-draft-${day}.${format}`
	if (format === 'json') {
		return {name, text: `${JSON.stringify({list, rows}, null, 2)}\n`}
	}
	const head = ['sha256', 'operation', 'note', 'verdict', 'marks', 'reason', 'source', 'place']
	const lines = rows.map(({key, operation, note, verdict, marks, reason, source, place}) =>
		csvLine([key, operation, note, verdict, marks.map(({message}) => message).join(' '), reason, source, place])
	)
	return {name, text: csvLine(head) + lines.join('')}
}

/** Throws `not_found`. */
function listOf(copies: EditorSource, guid: string) {
	const list = copies.list(guid)
	if (list === undefined) throw new CordonError('not_found', 'There is no such file list.', {field: 'list'})
	return list
}

/** Hashes that are looked up at once: others have the event loop in between. */
const pieceSize = 2000

/** Rows of a draft with their marks, one look after the other. What was looked up of ten thousand hashes is kept for as long as it holds. */
function makeLook({drafts, systemFiles, source}: EditorOptions) {
	let seenUnder = ''
	let answers = new Map<string, NonNullable<ReturnType<LintFacts['seen']['get']>>>()
	let read: {draft: string; revision: number; staged: readonly StagedRow[]} | undefined
	/** What the local copies say; the system's files are compared meanwhile, and come in later. */
	let known: {key: string; facts: Omit<LintFacts, 'systemFiles'>} | undefined
	let kept: {key: string; rows: readonly DraftRow[]} | undefined
	const factsOf = async (id: DraftId, list: EditedList, copies: EditorSource, staged: readonly StagedRow[]) => {
		const under = `${id.connection} ${copies.version()[1]}`
		if (under !== seenUnder) answers = new Map()
		seenUnder = under
		const [here, elsewhere] = [new Set<string>(), new Map<string, readonly Holder[]>()]
		const breath = breaths()
		for (let at = 0; at < staged.length; at += pieceSize) {
			const hashes = staged.slice(at, at + pieceSize).flatMap(({key}) => (isSha256(key) ? [key] : []))
			const held = copies.holdings(list, hashes)
			for (const hash of held.here) here.add(hash)
			for (const [hash, holders] of held.elsewhere) elsewhere.set(hash, holders)
			// A look at each of 100,000 hashes takes a second: those that were asked before are not asked again.
			for (const [hash, answer] of copies.seen(hashes.filter(each => !answers.has(each)))) answers.set(hash, answer)
			await breath()
		}
		const {type, read: listRead} = list
		return {type, listRead, here, elsewhere, seen: answers, prevalence: drafts.prevalence(id), prevalentFrom: copies.prevalentFrom()}
	}
	const lookAt = async (id: DraftId) => {
		const copies = source(id.connection)
		const list = listOf(copies, id.list)
		const draft = JSON.stringify(id)
		if (read?.draft !== draft || read.revision !== drafts.revision(id)) read = {draft, ...(await drafts.rows(id))}
		const {revision, staged} = read
		const knownKey = JSON.stringify([draft, revision, copies.version(), list])
		if (known?.key !== knownKey) known = {key: knownKey, facts: await factsOf(id, list, copies, staged)}
		const progress = systemFiles.progress()
		const key = `${knownKey} ${progress.known}`
		if (kept?.key !== key) {
			const facts: LintFacts = {...known.facts, systemFiles: systemFiles.known()}
			const rows: DraftRow[] = []
			const breath = breaths()
			for (const row of staged) {
				rows.push(linted(row, facts))
				await breath()
			}
			kept = {key, rows}
		}
		return {rows: kept.rows, state: {...stateOf(list, revision, kept.rows, progress), job: drafts.lastJob(id)}}
	}
	const turn = createTurns()
	return (given: DraftId) => turn(() => lookAt(idOf(given)))
}

function stateOf(list: EditedList, revision: number, rows: readonly DraftRow[], systemFiles: DraftState['systemFiles']) {
	const count = (view: DraftView) => rows.filter(row => isIn(row, view)).length
	const adds = rows.filter(({operation}) => operation === 'add').length
	return {
		list: {guid: list.guid, name: list.name, type: list.type},
		revision,
		rows: rows.length,
		adds,
		removes: rows.length - adds,
		ready: count('ready'),
		refused: count('refused'),
		red: count('red'),
		amber: count('amber'),
		idle: count('idle'),
		listRead: list.read,
		systemFiles
	}
}
