/** Playbooks of a profile and of the library. Each version is stored as given, with unknown extensions. */
import {randomUUID} from 'node:crypto'

import {CordonError, usageError, invalidArgument} from '#contract/errors.ts'
import type {TrustedKey} from '#model/approval.ts'
import {copyOf} from '#model/playbook-document.ts'
import type {PlaybookSignature, PlaybookSummary, PlaybookVersion} from '#model/playbook.ts'

import {digestOfJson} from '#base/canonical.ts'
import type {Clock} from '#base/ports.ts'
import type {Database} from '#core/store/database.ts'
import type {PlaybookDocument} from './document.ts'
import {signatureOf as worthOf} from './signature.ts'
import {checkPlaybook, readPlaybook} from './validate.ts'
import {inputsOf} from './variables.ts'

export type PlaybookStore = ReturnType<typeof openPlaybookStore>

export interface Kept {
	readonly document: PlaybookDocument
	readonly digest: string
	readonly origin: PlaybookSummary['origin']
}

interface Row {
	playbook: string
	digest: string
	body: string
	added_at: string
	added_by: string
}

export interface StoreDependencies {
	/** Opened at first use. */
	database: () => Database
	clock: Clock
	operator: string
	/** Made at first use. */
	library: () => readonly PlaybookDocument[]
	/** Keys that sign playbooks. */
	publishers?: (() => readonly TrustedKey[]) | undefined
}

export function openPlaybookStore(deps: StoreDependencies) {
	const {database, clock, operator, library, publishers} = deps
	let made: readonly Kept[] | undefined
	const brought = () => (made ??= library().map(document => ({document, digest: digestOfJson(document), origin: 'library'})))
	const rows = (playbook: string) => database().all<Row>('SELECT * FROM playbook_version WHERE playbook = ? ORDER BY number DESC', playbook)
	const newest = () => [...database().all<Row>(newestVersions).map(kept), ...brought()]
	const find = (idOrName: string, digest?: string) => {
		const wanted = idOrName.trim().toLowerCase()
		const found = newest().filter(({document: {id, name}}) => id === wanted || name.toLowerCase() === wanted)
		const [one, ...others] = found.filter(({origin}) => origin === 'own').concat(found.filter(({origin}) => origin === 'library'))
		if (one === undefined) throw new CordonError('unknown_playbook', `There is no playbook ${idOrName}.`, {field: 'playbook'})
		if (others.some(({document}) => document.id !== one.document.id))
			throw usageError(`Several playbooks are named ${idOrName}. Give the ID of one.`, 'playbook')
		if (digest === undefined || digest === one.digest) return one
		const row = rows(one.document.id).find(each => each.digest === digest)
		if (row === undefined) throw new CordonError('unknown_playbook', 'The playbook has no such version.', {field: 'version'})
		return kept(row)
	}
	const tagsOf = (id: string) =>
		JSON.parse(database().get<{tags: string}>('SELECT tags FROM playbook WHERE id = ?', id)?.tags ?? '[]') as string[]
	const signatureOf = (document: PlaybookDocument): PlaybookSignature =>
		brought().some(one => one.document === document) ? {state: 'library', by: null} : worthOf(document, publishers?.() ?? [], clock.now())
	const summary = (one: Kept) => summaryOf(one, tagsOf(one.document.id), signatureOf(one.document))
	const show = async (idOrName: string, digest?: string) => {
		const found = find(idOrName, digest)
		// A stored document is as given.
		const document = found.document as unknown as Readonly<Record<string, unknown>>
		const versions = rows(found.document.id).map(versionOf)
		return {...summary(found), versions, document, verdict: await checkPlaybook(document)}
	}
	const isBrought = (id: string) => brought().some(({document}) => document.id === id)
	const add = async (text: string) => await show(await keep({database, clock, operator, isBrought}, text))
	return {
		list: () => newest().map(summary),
		/** Of a stored document. */
		signatureOf,
		/** By ID or name; without a digest the newest version. Throws `unknown_playbook`. */
		find,
		show,
		/** Adds a version, which becomes the newest. Throws `invalid_argument` for a document that is no playbook. */
		add,
		/** Adds it under another ID and name. */
		copy: async (idOrName: string, name: string, digest?: string) => {
			const {document} = find(idOrName, digest)
			const now = new Date(clock.now()).toISOString()
			return await add(JSON.stringify(copyOf(document, `playbook--${randomUUID()}`, name, now)))
		},
		/** As given. */
		file: (idOrName: string, digest?: string) => {
			const {document} = find(idOrName, digest)
			const text = `${JSON.stringify(document, null, 2)}\n`
			return {name: `${fileNameOf(document.name)}.cacao.json`, text}
		},
		tag: (id: string, tags: readonly string[]) => {
			database().run('INSERT OR IGNORE INTO playbook (id) VALUES (?)', find(id).document.id)
			database().run('UPDATE playbook SET tags = ? WHERE id = ?', JSON.stringify([...new Set(tags)]), find(id).document.id)
		},
		remove: (id: string) => {
			const {document, origin} = find(id)
			if (origin === 'library') throw usageError('The library belongs to Cordon. Its playbooks cannot be deleted.')
			database().run('DELETE FROM playbook WHERE id = ?', document.id)
		}
	}
}

const newestVersions = 'SELECT * FROM playbook_version WHERE number IN (SELECT max(number) FROM playbook_version GROUP BY playbook)'

export const fileNameOf = (name: string) => name.replaceAll(/[^\w-]+/g, '-')

/** Returns its ID. An identical earlier version becomes the newest again. */
async function keep(
	{database, clock, operator, isBrought}: Omit<StoreDependencies, 'library'> & {isBrought: (id: string) => boolean},
	text: string
) {
	const document = readPlaybook(text)
	const {valid, issues} = await checkPlaybook(document)
	const first = issues.find(({level}) => level === 'error')
	if (!valid && first !== undefined)
		throw invalidArgument(`${first.name ?? 'Playbook'}: ${first.field}: ${first.message} ${first.fix}`, first.field)
	const id = String(document['id'])
	if (isBrought(id)) throw usageError('Playbooks of the library stay as they are. Copy this one to change it.', 'id')
	const digest = digestOfJson(document)
	const at = new Date(clock.now()).toISOString()
	database().transaction(() => {
		database().run('INSERT OR IGNORE INTO playbook (id) VALUES (?)', id)
		database().run('DELETE FROM playbook_version WHERE playbook = ? AND digest = ?', id, digest)
		const values = [id, digest, JSON.stringify(document), at, operator]
		database().run('INSERT INTO playbook_version (playbook, digest, body, added_at, added_by) VALUES (?, ?, ?, ?, ?)', ...values)
	})
	return id
}

function kept({body, digest}: Row): Kept {
	// Checked when it was added.
	return {document: JSON.parse(body) as PlaybookDocument, digest, origin: 'own'}
}

function versionOf({body, digest, added_at: addedAt, added_by: addedBy}: Row): PlaybookVersion {
	const {modified, name} = JSON.parse(body) as PlaybookDocument
	return {digest, modified, name, addedAt, addedBy}
}

function summaryOf({document, digest, origin}: Kept, tags: readonly string[], signature: PlaybookSignature): PlaybookSummary {
	const {id, name, description = '', modified} = document
	return {id, name, description, modified, digest, origin, signature, tags, inputs: inputsOf(document)}
}
