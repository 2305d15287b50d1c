import {hkdfSync} from 'node:crypto'
import {mkdirSync, rmSync} from 'node:fs'
import {basename, join} from 'node:path'

import type {SecretStore} from '#base/ports.ts'
import {derivePassphraseKey, keyBytes, seal, unseal} from '#base/sealing.ts'
import {writePrivate} from '#base/write-private.ts'
import {withSecretsLocked} from '#core/store/lock-file.ts'
import {CordonError, messageWithFix, type ErrorDetails} from '#contract/errors.ts'
import {dropFormer} from './former-file.ts'
import type {KeyStore, OpenKeyStore} from './key-store.ts'
import {readPrivate, type Vault, type VaultKey, vaultReader} from './vault-file.ts'

export interface VaultOptions {
	/** The profile's folder. */
	folder: string
	/** Asked once, with the first secret. Blanks around it do not count. */
	passphrase?: (() => Promise<string | undefined>) | undefined
	/** Holds the key of a new vault without a passphrase. Without a key store the key is in `secrets.key`, mode 0600. */
	keyStore?: OpenKeyStore | undefined
	random(bytes: number): Uint8Array
}

/** Encrypted into a new file, so that a wrong passphrase is noticed before anything is written with it. */
const proof = 'cordon'
const proofName = ''

/** The one store of a profile's secrets, the same in every host. */
export interface SecretVault extends SecretStore {
	/**
	 * Moves the key from `secrets.key` beside the vault to the operating system's key store. Resolves with the name of that key
	 * store if it holds the key now. After a kill, either the old or the new place holds it.
	 */
	moveToKeyStore(): Promise<string | undefined>
}

/**
 * Secrets in `secrets.json`, each encrypted with AES-256-GCM under its own name. The key comes from the operating system's key
 * store, from a passphrase (scrypt) or from `secrets.key`. The file itself records which, so that every host uses the same, or
 * reports why it cannot. An unreadable file is never overwritten.
 */
export function openSecretVault(options: VaultOptions): SecretVault {
	const paths = {vault: join(options.folder, 'secrets.json'), key: join(options.folder, 'secrets.key')}
	const keys = keyring(options, paths.key)

	const readVault = vaultReader(paths.vault)
	const edited = editor(paths.vault, readVault)
	const change = (edit: (vault: Vault, key: Buffer) => Vault) =>
		edited(async vault => {
			const whole = vault ?? (await createVault(options, keys))
			return edit(whole, await keys.of(whole))
		})
	/** Needs no key: removed or restored values stay encrypted. */
	const changeSealed = (edit: (entries: Vault['entries']) => Vault['entries']) =>
		edited(async vault => vault && {...vault, entries: edit(vault.entries)})

	return {
		get kind() {
			return kinds[madeWith(options, readVault)]
		},
		unavailable: async () => {
			try {
				const vault = readVault()
				if (vault !== undefined) await keys.of(vault)
				return null
			} catch (error) {
				if (!(error instanceof CordonError)) return `The secrets cannot be read: ${String(error)}`
				return messageWithFix(error)
			}
		},
		read: async name => {
			const vault = readVault()
			const sealed = vault?.entries[name]
			return vault === undefined || sealed === undefined ? undefined : openEntry(await keys.of(vault), name, sealed)
		},
		write: (name, value) => change((vault, key) => ({...vault, entries: {...vault.entries, [name]: sealedEntry(options, key, name, value)}})),
		...(options.passphrase !== undefined &&
			madeWith(options, readVault) === 'passphrase' && {checkPassphrase: text => opensWith(readVault(), text)}),
		remove: async name => {
			const putBackFormer = await dropFormer(options.folder, name)
			const sealed = readVault()?.entries[name]
			if (sealed === undefined) return putBackFormer
			await changeSealed(entries => Object.fromEntries(Object.entries(entries).filter(([other]) => other !== name)))
			return async () => {
				await putBackFormer()
				await changeSealed(entries => ({...entries, [name]: sealed}))
			}
		},
		moveToKeyStore: () => withSecretsLocked(`${paths.vault}.lock`, () => moveKey(options, {...paths, readVault}, keys))
	}
}

type ReadVault = () => Vault | undefined
/** Resolves with the new content; `undefined` changes nothing. */
type Edit = (vault: Vault | undefined) => Promise<Vault | undefined>

interface WaitingEdit extends PromiseWithResolvers<void> {
	edit: Edit
}

/** Edits that come while the file is being written go into it together, next. Each resolves once it is on the disk. */
function editor(path: string, read: ReadVault): (edit: Edit) => Promise<void> {
	let waiting: WaitingEdit[] = []
	let taken: WaitingEdit[] = []
	let isBusy = false
	/** Returns what to tell once the lock is free again: whoever hears of it may end the process. */
	const write = async (): Promise<readonly (() => void)[]> => {
		;[taken, waiting] = [waiting, []]
		const before = read()
		let vault = before
		const outcomes: (() => void)[] = []
		for (const {edit, resolve, reject} of taken) {
			try {
				vault = (await edit(vault)) ?? vault
				outcomes.push(resolve)
			} catch (error) {
				outcomes.push(() => reject(error))
			}
		}
		if (vault !== undefined && vault !== before) await writePrivate(path, textOf(vault))
		return outcomes
	}
	const drain = async () => {
		isBusy = true
		while (waiting.length > 0) {
			try {
				for (const tell of await withSecretsLocked(`${path}.lock`, write)) tell()
			} catch (error) {
				for (const {reject} of [...taken, ...waiting.splice(0)]) reject(error)
			}
		}
		isBusy = false
	}
	return edit => {
		const one = {edit, ...Promise.withResolvers<void>()}
		waiting.push(one)
		if (!isBusy) void drain()
		return one.promise
	}
}

function textOf(vault: Vault) {
	return `${JSON.stringify(vault, undefined, 1)}\n`
}

function sealedEntry({random}: VaultOptions, key: Buffer, name: string, value: string) {
	return seal({key, purpose, name}, value, random)
}

async function moveKey(options: VaultOptions, paths: {vault: string; key: string; readVault: ReadVault}, keys: Keyring) {
	const vault = paths.readVault()
	const store = vault?.key.kind === 'key_file' ? await options.keyStore?.() : undefined
	if (vault === undefined || store === undefined) return undefined
	const before = await keys.of(vault)
	const described = await inKeyStore(store, options)
	if (described === undefined) return undefined
	const key = await keys.make(described)
	const entries = Object.entries(vault.entries).map(([name, sealed]) => [name, sealedEntry(options, key, name, openEntry(before, name, sealed))])
	const proved = seal({key, purpose, name: proofName}, proof, options.random)
	await writePrivate(paths.vault, textOf({version: 1, key: described, proof: proved, entries: Object.fromEntries(entries)}))
	rmSync(paths.key, {force: true})
	return store.name
}

/** Under a unique name: several profiles have several keys. */
async function inKeyStore(store: KeyStore | undefined, {random}: VaultOptions): Promise<VaultKey | undefined> {
	const account = `profile ${Buffer.from(random(8)).toString('hex')}`
	if ((await store?.write(account, Buffer.from(random(keyBytes)).toString('base64'))) !== true) return undefined
	return {kind: 'key_store', salt: Buffer.from(random(16)).toString('base64'), account}
}

const kinds = {
	key_store: 'encrypted file; its key is in the key store of the operating system',
	undecided: 'encrypted file; its key will be in the key store of the operating system where there is one, else beside it',
	key_file: 'encrypted file; its key lies beside it in secrets.key, so anyone who can read the profile can read the keys',
	passphrase: 'encrypted file under the passphrase of this profile'
} as const satisfies Record<VaultKey['kind'] | 'undecided', string>

/** A passphrase given later does not change how an existing file was made. */
function madeWith({passphrase, keyStore}: VaultOptions, readVault: ReadVault) {
	const asked = passphrase !== undefined ? 'passphrase' : keyStore === undefined ? 'key_file' : 'undecided'
	try {
		return readVault()?.key.kind ?? asked
	} catch {
		return asked
	}
}

/** A key file has no passphrase to compare with; nor has a missing vault. */
async function opensWith(vault: Vault | undefined, text: string) {
	if (vault?.key.kind !== 'passphrase') return false
	const {salt, cost} = vault.key
	const keys = await Promise.all([text.trim(), text].map(each => derivePassphraseKey(each, salt, cost)))
	return keys.some(key => isKeyOf(key, vault))
}

function isKeyOf(key: Buffer, vault: Vault) {
	return unseal({key, purpose, name: proofName}, vault.proof) === proof
}

type Keyring = ReturnType<typeof keyring>

/** Deriving a key from a passphrase is slow by design: once per process and file. */
function keyring(options: VaultOptions, keyPath: string) {
	const known = new Map<string, Promise<Buffer>>()
	let asked: Promise<string | undefined> | undefined
	const passphrase = () => (asked ??= options.passphrase?.() ?? Promise.resolve(undefined))

	const make = (described: VaultKey, isRaw = false) => {
		const id = JSON.stringify([described, isRaw])
		const found = known.get(id) ?? derive(described, {passphrase, keyPath, keyStore: options.keyStore}, isRaw)
		known.set(id, found)
		// Failures are not cached: the key file may be repaired while this process runs.
		found.catch(() => known.delete(id))
		return found
	}
	return {
		/** The verified key of this file. Throws `secret_unavailable`. */
		of: async (vault: Vault) => {
			// An earlier headless console kept the blanks around its passphrase.
			for (const isRaw of [false, true]) {
				const key = await make(vault.key, isRaw)
				if (isKeyOf(key, vault)) return key
			}
			throw refusal(wrong[vault.key.kind], vault.key.kind === 'passphrase' ? givePassphrase : restoreKey)
		},
		/** How the key of a new file is made. */
		describe: async (): Promise<VaultKey> => {
			const salt = Buffer.from(options.random(16)).toString('base64')
			const given = await passphrase()
			if (given?.trim() === '') throw refusal('The passphrase is blank. Nothing was stored.')
			if (given !== undefined) return {kind: 'passphrase', salt, cost: 2 ** 15}
			const stored = await inKeyStore(await options.keyStore?.(), options).catch(orWithout)
			if (stored !== undefined) return stored
			await createKeyFile(keyPath, options.random)
			return {kind: 'key_file', salt}
		},
		make
	}
}

/** Of a key store that is locked while nothing is stored yet: a vault may still be made elsewhere. */
function orWithout(error: unknown): never {
	if (!(error instanceof CordonError)) throw error
	const {fix = ''} = error.details
	throw refusal(error.message, {...error.details, fix: `${fix} ${withoutKeyStore}`})
}

interface Sources {
	passphrase: () => Promise<string | undefined>
	keyPath: string
	keyStore: OpenKeyStore | undefined
}

async function derive(described: VaultKey, {passphrase, keyPath, keyStore}: Sources, isRaw: boolean) {
	if (described.kind === 'key_file') return expandFileKey(readKeyFile(keyPath), described.salt)
	if (described.kind === 'key_store') return expandFileKey(await storedKey(await keyStore?.(), described.account), described.salt)
	const given = await passphrase()
	if (given !== undefined) return derivePassphraseKey(isRaw ? given : given.trim(), described.salt, described.cost)
	throw refusal('The secrets of this profile are protected by a passphrase, and none was given.', givePassphrase)
}

async function storedKey(store: KeyStore | undefined, account: string) {
	if (store === undefined)
		throw refusal('The secrets of this profile are protected by the key store of the operating system, which cannot be reached from here.', {
			fix: 'Work in the running console, or run the command in a terminal of your desktop session, without CORDON_KEY_STORE=off.'
		})
	const key = keyOf(await store.read(account))
	if (key !== undefined) return key
	throw refusal(`The ${store.name} has no key for the secrets of this profile any more.`, restoreKey)
}

async function createVault(options: VaultOptions, keys: Keyring): Promise<Vault> {
	mkdirSync(options.folder, {recursive: true, mode: 0o700})
	const described = await keys.describe()
	const sealing = {key: await keys.make(described), purpose, name: proofName}
	return {version: 1, key: described, proof: seal(sealing, proof, options.random), entries: {}}
}

function openEntry(key: Buffer, name: string, sealed: string) {
	const value = unseal({key, purpose, name}, sealed)
	if (value !== undefined) return value
	throw refusal(`The secret "${name}" in secrets.json was changed or damaged; enter it again.`)
}

const withoutKeyStore =
	'To do without it, start the headless console or the command line with --passphrase-file FILE; the window cannot open such a profile. Or start with CORDON_KEY_STORE=off in the environment: the key then lies in secrets.key, so anyone who can read the profile can read the secrets.'
const givePassphrase = {fix: 'Give the right one with --passphrase-file FILE.'}
const restoreKey = {fix: 'Restore the key from a backup, or move secrets.json away and enter the API keys again.'}
const wrong = {
	passphrase: 'The passphrase does not open the secrets of this profile.',
	key_file: 'The key file secrets.key does not belong to secrets.json.',
	key_store: 'The key in the key store of the operating system does not belong to secrets.json.'
} as const satisfies Record<VaultKey['kind'], string>

function refusal(message: string, details?: ErrorDetails) {
	return new CordonError('secret_unavailable', message, details)
}

const purpose = 'cordon secrets v1'

/** The key file is already random, so no slow function is needed. */
function expandFileKey(fileKey: Buffer, salt: string) {
	return Buffer.from(hkdfSync('sha256', fileKey, Buffer.from(salt, 'base64'), purpose, keyBytes))
}

/** Base64 text of 32 bytes. Throws `secret_unavailable`. */
function readKeyFile(path: string) {
	const text = readPrivate(path)
	const name = `The key file ${basename(path)}`
	if (text === undefined) throw refusal(`${name} is missing; without it the secrets of this profile cannot be read.`, restoreKey)
	const key = keyOf(text.toString('latin1'))
	if (key !== undefined) return key
	throw refusal(`${name} is damaged; it was left as it is.`, restoreKey)
}

/** Base64 text of 32 bytes; `undefined` for anything else. */
function keyOf(text: string | undefined) {
	const key = Buffer.from(text?.trim() ?? '', 'base64')
	return key.length === keyBytes ? key : undefined
}

/** Keeps an existing valid key file. */
async function createKeyFile(path: string, random: (bytes: number) => Uint8Array) {
	if (readPrivate(path) === undefined) await writePrivate(path, `${Buffer.from(random(keyBytes)).toString('base64')}\n`)
	readKeyFile(path)
}
