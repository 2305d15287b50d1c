import {sha256} from '@noble/hashes/sha2.js'
import {bytesToHex} from '@noble/hashes/utils.js'

/** Interval of progress reports, in milliseconds. */
const tellEveryMs = 100

/** SHA-256 of a file in hexadecimal digits, read in pieces of any total size. Nothing leaves the page. */
export async function hashFile(file: Pick<File, 'stream'>, onProgress: (bytes: number) => void, now: () => number = () => performance.now()) {
	const hash = sha256.create()
	const reader = file.stream().getReader()
	let bytes = 0
	let told = now()
	for (;;) {
		const {done, value} = await reader.read()
		if (done) return bytesToHex(hash.digest())
		hash.update(value)
		bytes += value.byteLength
		if (now() - told < tellEveryMs) continue
		told = now()
		onProgress(bytes)
	}
}
