/** Secrets in files: AES-256-GCM under a key that scrypt makes of a passphrase. */
import {createCipheriv, createDecipheriv, scrypt} from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16
export const keyBytes = 32

interface Seal {
	key: Buffer
	/** What the value is for, and its name there: authenticated, so that it cannot be moved to another name or file. */
	purpose: string
	name: string
}

/** Base64 of nonce, tag and ciphertext. */
export function seal({key, purpose, name}: Seal, value: string, random: (bytes: number) => Uint8Array) {
	const nonce = random(nonceBytes)
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(purpose, name))
	const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
	return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** `undefined` when the key is another one, or the value was changed or moved. */
export function unseal({key, purpose, name}: Seal, sealed: string) {
	const bytes = Buffer.from(sealed, 'base64')
	if (bytes.length < nonceBytes + tagBytes) return undefined
	const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {authTagLength: tagBytes})
		.setAAD(associated(purpose, name))
		.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
	try {
		return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
	} catch {
		return undefined
	}
}

/** scrypt with r = 8, p = 1 (RFC 7914); with N = 2^15 about 0.1 s and 32 MB. */
export function derivePassphraseKey(passphrase: string, salt: string, cost: number): Promise<Buffer> {
	const settings = {N: cost, r: 8, p: 1, maxmem: 256 * cost * 8}
	return new Promise((resolve, reject) => {
		scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), keyBytes, settings, (error, key) => {
			if (error === null) resolve(key)
			else reject(error)
		})
	})
}

function associated(purpose: string, name: string) {
	return Buffer.from(`${purpose}\0${name}`, 'utf8')
}
