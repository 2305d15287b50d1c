/** Verifiers of passwords and tokens, stored instead of these. */
import {hash, randomBytes, scrypt, timingSafeEqual} from 'node:crypto'

interface Verifier {
	cost: Cost
	salt: Buffer
	key: Buffer
}

interface Cost {
	/** log2 of scrypt's N. */
	log2N: number
	r: number
	p: number
}

/**
 * About 70 ms and 32 MB on a small computer. A valid credential is remembered for a while, so a client pays this once in some
 * minutes; more would let a flood of wrong passwords stop the server's real work.
 */
const ownCost: Cost = {log2N: 15, r: 8, p: 1}
const keyBytes = 32
const nobody: Verifier = {cost: ownCost, salt: Buffer.alloc(16), key: Buffer.alloc(keyBytes)}

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, base64url. */
export async function hashPassword(password: string, cost = ownCost) {
	const salt = randomBytes(16)
	const key = await derive(Buffer.from(password.normalize('NFC')), salt, cost, keyBytes)
	const {log2N, r, p} = cost
	return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** SHA-256, hex. A token is long and random, so a slow hash would add nothing. */
export function hashToken(token: string) {
	return hash('sha256', token, 'hex')
}

/**
 * `verifier`: `undefined` for an unknown user; that costs the same as `like`, the verifier of a known one, and fails. Rejects
 * when memory runs out.
 */
export async function isPassword(password: string, verifier: string | undefined, like?: string) {
	const known = verifier === undefined ? undefined : parseVerifier(verifier)
	const {cost, salt, key} = known ?? (like === undefined ? undefined : parseVerifier(like)) ?? nobody
	const derived = await derive(Buffer.from(password.normalize('NFC')), salt, cost, key.length)
	return timingSafeEqual(derived, key) && known !== undefined
}

/** Limits for damaged files, which could ask for hours or gigabytes. */
function parseVerifier(text: string): Verifier | undefined {
	const match = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(text)
	if (match === null) return undefined
	const [log2N = 0, r = 0, p = 0] = match.slice(1, 4).map(Number)
	const [salt, key] = [Buffer.from(match[4] ?? '', 'base64url'), Buffer.from(match[5] ?? '', 'base64url')]
	const sane = log2N >= 10 && log2N <= 20 && r >= 1 && r <= 16 && p >= 1 && p <= 16
	return sane && salt.length >= 8 && key.length >= 16 && key.length <= 64 ? {cost: {log2N, r, p}, salt, key} : undefined
}

function derive(password: Buffer, salt: Buffer, cost: Cost, length: number): Promise<Buffer> {
	const N = 2 ** cost.log2N
	const options = {N, r: cost.r, p: cost.p, maxmem: 256 * N * cost.r}
	return new Promise((resolve, reject) => {
		scrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)))
	})
}
