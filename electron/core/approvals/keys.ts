/** Keys of people: this profile's, and those that the administrator supplies. A second person is a key, never a name. */
import {createPrivateKey, generateKeyPairSync} from 'node:crypto'

import {CordonError, usageError, invalidArgument} from '#contract/errors.ts'
import type {KeyUse, TrustedKey} from '#model/approval.ts'
import type {Surface} from '#model/incident.ts'

import type {Clock} from '#base/ports.ts'
import {derivePassphraseKey, seal, unseal} from '#base/sealing.ts'
import type {NewEntry} from '#core/record/incidents/types.ts'
import type {Managed} from '#core/service/managed/managed.ts'
import type {Database} from '#core/store/database.ts'
import {publicKeyOf, readPublicKey} from './signature.ts'

export interface KeyServices {
	database: Database
	clock: Clock
	random(bytes: number): Uint8Array
	operator: string
	managed: Pick<Managed, 'trust'>
	/** Within the transaction of the change. */
	note: (entry: NewEntry) => void
}

interface AddKey {
	name: string
	use: KeyUse
	/** PEM, or Base64 of the SPKI. */
	publicKey: string
	groups: readonly string[]
	/** The name again: trusting somebody needs care. */
	confirm: string | undefined
	surface: Surface
}

export type Keys = ReturnType<typeof openKeys>

interface Row extends Pick<TrustedKey, 'id' | 'use' | 'name'> {
	public_key: string
	groups: string
	added_by: string
	added_at: string
	revoked_at: string | null
	trusted: 0 | 1
	secret: string | null
	salt: string | null
}

const shortestPassphrase = 12
const scryptCost = 2 ** 15

export function openKeys(services: KeyServices) {
	const {database, clock} = services
	const rows = (): readonly Row[] => database.all<Row>('SELECT * FROM trusted_key ORDER BY added_at, id')
	const now = () => new Date(clock.now()).toISOString()
	const list = (): readonly TrustedKey[] => [...managedKeys(services), ...rows().map(keyOf)]
	const find = (wanted: string, use?: KeyUse) => {
		const text = wanted.trim().toLowerCase()
		const found = list().filter(one => isNamed(one, text) && (use === undefined || one.use === use))
		const [key] = found
		if (key === undefined) throw new CordonError('unknown_approval', `There is no key ${wanted}.`, {field: 'key'})
		if (new Set(found.map(({id}) => id)).size > 1) throw usageError(`Several keys fit ${wanted}. Give more of the ID.`, 'key')
		// Prefer the entry that has the private key.
		return found.find(({own}) => own) ?? key
	}
	const own = (wanted: string) => {
		const {id, name} = find(wanted)
		const row = rows().find(one => one.id === id && one.secret !== null)
		if (row?.secret === undefined || row.secret === null || row.salt === null)
			throw new CordonError('unknown_approval', `The private part of ${name} is not in this profile.`, {field: 'key'})
		return {id, name, secret: row.secret, salt: row.salt}
	}
	return {
		list,
		/** By ID, its beginning, or name. Throws `unknown_approval`. */
		find,
		/** Throws `unknown_approval` also where its private part is missing. */
		own,
		trusted: (use: KeyUse) => trustedKeys(services, rows(), use),
		/** Makes an Ed25519 key. This profile trusts it only after `add`. */
		create: async (request: {name: string; passphrase: string; surface: Surface}) => {
			const row = await madeKey(services, request, now())
			const entry = entryOf(request.surface, `Key ${row.name} created (${shortId(row.id)}).`, row)
			logged(services, entry, () => insert(database, row))
			return keyOf(row)
		},
		/** Throws `managed` where the administrator supplies the keys, and `confirmation_needed` without the name. */
		add: (request: AddKey) => add(services, rows(), request, now()),
		/** Unused signatures no longer count. */
		revoke: ({key, reason, surface}: {key: string; reason: string; surface: Surface}) => {
			const {id, name, origin} = find(key)
			if (origin === 'managed') throw heldKeys(name)
			const entry = entryOf(surface, `Key ${name} revoked (${shortId(id)}). Reason: ${reason}`, {id, name})
			const sql = 'UPDATE trusted_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?'
			logged(services, entry, () => database.run(sql, now(), id))
		},
		/** Throws `invalid_argument` for a wrong passphrase. */
		unlock: async (wanted: string, passphrase: string) => {
			const {id, name, secret, salt} = own(wanted)
			let pem: string | undefined
			// Once the window kept the blanks around it, which a terminal does not take.
			for (const text of new Set([passphrase.trim(), passphrase])) {
				const key = await derivePassphraseKey(text, salt, scryptCost)
				pem ??= unseal({key, purpose: 'approver', name: id}, secret)
			}
			if (pem === undefined) throw invalidArgument('The passphrase is wrong. Nothing was signed.', 'passphrase')
			return {id, name, key: createPrivateKey(pem)}
		}
	}
}

function isNamed({id, name}: TrustedKey, text: string) {
	return name.toLowerCase() === text || (text.length >= 8 && id.startsWith(text))
}

function shortId(id: string) {
	return id.slice(0, 16)
}

/** The administrator's keys replace all others. */
function trustedKeys(services: KeyServices, rows: readonly Row[], use: KeyUse) {
	const given = managedOf(services, use)
	const revoked = new Set(rows.filter(({revoked_at: at}) => at !== null).map(({id}) => id))
	const keys =
		given === undefined
			? rows.filter(row => row.use === use && row.trusted === 1).map(keyOf)
			: managedKeys(services).filter(one => one.use === use)
	return keys.filter(({id}) => !revoked.has(id))
}

function managedOf({managed}: KeyServices, use: KeyUse) {
	const {approvers, publishers} = managed.trust()
	return use === 'approve' ? approvers : publishers
}

/** An unreadable key is skipped, so nobody trusts it. */
function managedKeys(services: KeyServices) {
	return (['approve', 'publish'] as const).flatMap(use =>
		(managedOf(services, use) ?? []).flatMap(({name, publicKey, groups}): readonly TrustedKey[] => {
			try {
				const {id, algorithm, pem} = readPublicKey(publicKey, 'key')
				const origin = {origin: 'managed', own: false, addedBy: 'administrator', addedAt: null, revokedAt: null} as const
				return [{id, name, use, algorithm, publicKey: pem, groups, ...origin}]
			} catch {
				return []
			}
		})
	)
}

function keyOf(row: Row): TrustedKey {
	const {id, use, name, added_by: addedBy, added_at: addedAt, revoked_at: revokedAt, secret} = row
	return {
		...{id, use, name, addedBy, addedAt, revokedAt, origin: 'profile', own: secret !== null},
		algorithm: readPublicKey(row.public_key, 'key').algorithm,
		publicKey: row.public_key,
		groups: JSON.parse(row.groups) as string[]
	}
}

async function madeKey({random, operator}: KeyServices, {name, passphrase: typed}: {name: string; passphrase: string}, at: string): Promise<Row> {
	const passphrase = typed.trim()
	if (name.trim() === '') throw invalidArgument('Give the key a name.', 'name')
	if (passphrase.length < shortestPassphrase) throw invalidArgument(`The passphrase needs ${shortestPassphrase} characters.`, 'passphrase')
	const {publicKey, privateKey} = generateKeyPairSync('ed25519')
	const {id, pem} = publicKeyOf(publicKey)
	const salt = Buffer.from(random(16)).toString('base64')
	const key = await derivePassphraseKey(passphrase, salt, scryptCost)
	const plain = String(privateKey.export({type: 'pkcs8', format: 'pem'}))
	const secret = seal({key, purpose: 'approver', name: id}, plain, random)
	return {
		...{id, use: 'approve', name: name.trim(), public_key: pem, groups: '[]', added_by: operator, added_at: at},
		...{revoked_at: null, trusted: 0, secret, salt}
	}
}

function insert(database: Database, row: Row) {
	database.run(
		'INSERT INTO trusted_key (id, use, name, public_key, groups, added_by, added_at, trusted, secret, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
		...[row.id, row.use, row.name, row.public_key, row.groups, row.added_by, row.added_at, row.trusted],
		...[row.secret, row.salt]
	)
}

function add(services: KeyServices, rows: readonly Row[], request: AddKey, at: string): TrustedKey {
	const {use, publicKey, groups, confirm, surface} = request
	const name = request.name.trim()
	if (managedOf(services, use) !== undefined) throw heldKeys(name)
	if (confirm?.trim().toLowerCase() !== name.toLowerCase())
		throw new CordonError(
			'confirmation_needed',
			`What this key signs counts as ${name} from now on. Type the name, ${name}, to confirm. Nothing was changed.`,
			{field: 'confirm'}
		)
	const {id, algorithm, pem} = readPublicKey(publicKey, 'key')
	if (use === 'approve' && algorithm !== 'ed25519') throw invalidArgument('A key that approves is an Ed25519 key.', 'key')
	const own = rows.filter(row => row.id === id)
	const revoked = own.find(row => row.revoked_at !== null)
	if (revoked !== undefined) throw usageError(`This key was revoked on ${revoked.revoked_at}. Make another one.`, 'key')
	const known = own.find(row => row.use === use)
	const row: Row = {
		...{id, use, name, public_key: pem, groups: JSON.stringify(groups), added_by: services.operator, added_at: at},
		...{revoked_at: null, trusted: 1, secret: known?.secret ?? null, salt: known?.salt ?? null}
	}
	const of = groups.length === 0 ? '' : ` Groups: ${groups.join(', ')}.`
	const verb = use === 'approve' ? 'may approve' : 'may sign playbooks'
	const {database} = services
	logged(services, entryOf(surface, `Key ${name} ${verb} from now on (${shortId(id)}).${of}`, row), () => {
		database.run('DELETE FROM trusted_key WHERE id = ? AND use = ?', id, use)
		insert(database, row)
	})
	return keyOf(row)
}

function logged({database, note}: KeyServices, entry: NewEntry, work: () => unknown) {
	database.transaction(() => (work(), note(entry)), {durable: true})
}

function entryOf(surface: Surface, message: string, {id, name}: Pick<Row, 'id' | 'name'>): NewEntry {
	return {kind: 'note', surface, message, data: {key: id, name}}
}

function heldKeys(name: string) {
	return new CordonError('managed', `The administrator decides whose keys are trusted: ${name} was not changed.`, {field: 'key'})
}
