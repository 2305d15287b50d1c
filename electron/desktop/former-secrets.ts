/** Secrets that earlier versions of the window kept for themselves move into the store that all hosts share. */
import {statSync} from 'node:fs'
import {join} from 'node:path'

import type {SecretStore} from '#base/ports.ts'
import {formerPath, readFormer, writeFormer} from '../secrets/former-file.ts'

/** The operating system's encryption as Electron offers it. */
export interface Decryption {
	isAvailable(): Promise<boolean>
	decrypt(encrypted: Buffer): Promise<string>
}

export interface TakenOver {
	/** For the incident log. */
	readonly message: string
	/** Takes out what lies in the shared store now. Before that nothing is lost by a kill: it is taken over again. */
	forget(): Promise<void>
}

/** `null` where there is nothing to take over. Rejects when the shared store cannot be written: then all stays. */
export async function takeOverSecrets(profile: string, decryption: Decryption, store: SecretStore): Promise<TakenOver | null> {
	const former = readFormer(profile)
	const names = Object.keys(former)
	if (names.length === 0) return null
	const taken = new Set<string>()
	for (const [name, encrypted] of Object.entries(former)) if (await takeOne(profile, decryption, store, {name, encrypted})) taken.add(name)
	const forget = () => writeFormer(profile, Object.fromEntries(Object.entries(readFormer(profile)).filter(([name]) => !taken.has(name))))
	return {message: messageOf(taken.size, names.length - taken.size, store.kind), forget}
}

/** Of two that differ, the one that was stored last counts. */
async function takeOne(profile: string, decryption: Decryption, store: SecretStore, one: {name: string; encrypted: string}) {
	const text = await decrypted(decryption, one.encrypted)
	if (text === undefined) return false
	const there = await store.read(one.name)
	if (there === undefined || (there !== text && isNewer(profile))) await store.write(one.name, text)
	return true
}

async function decrypted(decryption: Decryption, encrypted: string) {
	try {
		return (await decryption.isAvailable()) ? await decryption.decrypt(Buffer.from(encrypted, 'base64')) : undefined
	} catch {
		return undefined
	}
}

function isNewer(profile: string) {
	const vault = statSync(join(profile, 'secrets.json'), {throwIfNoEntry: false})
	return vault === undefined || statSync(formerPath(profile)).mtimeMs > vault.mtimeMs
}

function messageOf(taken: number, left: number, kind: string) {
	const moved = `Secrets of the window moved into the store that all hosts share: ${taken} (${kind}).`
	if (left === 0) return moved
	return `${moved} ${left} cannot be decrypted by the operating system now. They stay, and are tried again at the next start.`
}
