/** Tags and roles that people give to computers. They lie in the profile, so that reading the service anew keeps them. */
import {fold} from '#model/fold.ts'
import {computerRoles, type ComputerRole} from '#model/guard.ts'
import {noLabels, type ComputerLabels, type LabelChange} from '#model/label.ts'

import type {Database} from '#core/store/database.ts'

export type LabelKind = 'tag' | 'role'

/** What the local copy of computers asks. */
export interface LabelReader {
	/** Grows with every change, by whichever process. */
	revision(): number
	of(guid: string): ComputerLabels
	/** GUIDs with a label of this kind whose text, folded, passes. */
	having(kind: LabelKind, passes: (fold: string) => boolean): readonly string[]
	/** Every label of this kind with its GUIDs, the most frequent first. */
	all(kind: LabelKind): readonly {value: string; guids: readonly string[]}[]
}

/** The labels of one connection. */
export interface Labels extends LabelReader {
	/** Returns how many computers it changed. */
	change(change: LabelChange): number
}

/** A connection that is gone takes its labels with it, here, at the next start. */
export function openLabels(database: Database) {
	const listeners = new Set<(connection: string) => void>()
	const known = new Map<string, Labels>()
	database.run('DELETE FROM computer_label WHERE connection NOT IN (SELECT id FROM connection)')
	const tell = (connection: string) => listeners.forEach(listener => listener(connection))
	return {
		of: (connection: string) => {
			const labels = known.get(connection) ?? makeLabels(database, connection, () => tell(connection))
			known.set(connection, labels)
			return labels
		},
		onChange: (listener: (connection: string) => void) => {
			const own = (connection: string) => listener(connection)
			listeners.add(own)
			return () => listeners.delete(own)
		}
	}
}

interface Kept {
	revision: number
	/** By kind, then by folded text. */
	byLabel: Readonly<Record<LabelKind, ReadonlyMap<string, Labelled>>>
	byGuid: ReadonlyMap<string, ComputerLabels>
}

interface Labelled {
	value: string
	guids: readonly string[]
}

function makeLabels(database: Database, connection: string, onChange: () => void): Labels {
	let kept: Kept | undefined
	const revision = () => database.get<{value: number}>('SELECT value FROM label_revision WHERE connection = ?', connection)?.value ?? 0
	const current = () => {
		const now = revision()
		if (kept?.revision !== now) kept = readLabels(database, connection, now)
		return kept
	}
	return {
		revision,
		of: guid => current().byGuid.get(guid) ?? noLabels,
		having: (kind, passes) => {
			const found = [...current().byLabel[kind]].filter(([fold]) => passes(fold)).map(([, {guids}]) => guids)
			return found.length === 1 ? (found[0] ?? []) : [...new Set(found.flat())]
		},
		all: kind => [...current().byLabel[kind].values()].toSorted((a, b) => b.guids.length - a.guids.length),
		change: change => {
			const changed = database.transaction(() => write(database, connection, change))
			if (changed > 0) onChange()
			return changed
		}
	}
}

interface LabelRow {
	kind: LabelKind
	fold: string
	value: string
	guid: string
}

function readLabels(database: Database, connection: string, revision: number): Kept {
	const rows = database.all<LabelRow>('SELECT kind, fold, value, guid FROM computer_label WHERE connection = ? ORDER BY fold, guid', connection)
	const byLabel = {tag: new Map<string, {value: string; guids: string[]}>(), role: new Map<string, {value: string; guids: string[]}>()}
	const byGuid = new Map<string, {tags: string[]; roles: ComputerRole[]}>()
	for (const {kind, fold, value, guid} of rows) {
		const label = byLabel[kind].get(fold) ?? {value, guids: []}
		label.guids.push(guid)
		byLabel[kind].set(fold, label)
		const own = byGuid.get(guid) ?? {tags: [], roles: []}
		if (kind === 'tag') own.tags.push(label.value)
		else own.roles.push(...computerRoles.filter(role => role === value))
		byGuid.set(guid, own)
	}
	return {revision, byLabel, byGuid}
}

function write(database: Database, connection: string, {guids, add, remove}: LabelChange) {
	const insert = database.prepare('INSERT OR IGNORE INTO computer_label VALUES (?, ?, ?, ?, ?)')
	const drop = database.prepare('DELETE FROM computer_label WHERE connection = ? AND guid = ? AND kind = ? AND fold = ?')
	const added = labelsOf(add)
	const kept = new Set(added.map(keyOf))
	const removed = labelsOf(remove).filter(label => !kept.has(keyOf(label)))
	let changed = 0
	for (const guid of new Set(guids)) {
		let rows = 0
		for (const {kind, fold} of removed) rows += drop.run(connection, guid, kind, fold).changes
		for (const {kind, fold, value} of added) rows += insert.run(connection, guid, kind, fold, value).changes
		if (rows > 0) changed += 1
	}
	if (changed > 0) database.run('INSERT INTO label_revision VALUES (?, 1) ON CONFLICT (connection) DO UPDATE SET value = value + 1', connection)
	return changed
}

type Label = Omit<LabelRow, 'guid'>

function labelsOf({tags, roles}: ComputerLabels) {
	return [
		...tags.map(value => ({kind: 'tag' as const, fold: fold(value), value})),
		...roles.map(value => ({kind: 'role' as const, fold: value, value}))
	]
}

function keyOf({kind, fold}: Label) {
	return `${kind} ${fold}`
}
