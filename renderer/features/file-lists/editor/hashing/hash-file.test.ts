import {hash, randomBytes} from 'node:crypto'

import fc from 'fast-check'

import {hashFile} from './hash-file.ts'

const nothing = () => undefined
const sha256Of = (bytes: Uint8Array) => hash('sha256', bytes, 'hex')

/** A file whose stream has pieces of the given sizes. */
function filed(pieces: Uint8Array<ArrayBuffer>[]): Pick<File, 'stream'> {
	return {
		stream: () =>
			new ReadableStream<Uint8Array<ArrayBuffer>>({
				start: controller => {
					for (const piece of pieces) controller.enqueue(piece)
					controller.close()
				}
			})
	}
}

test.each([
	['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
	['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad']
])('FIPS 180-4: the hash of "%s"', async (text, hash) => {
	expect(await hashFile(new Blob([text]), nothing)).toBe(hash)
})

test('however a file is cut into pieces, its hash is that of Node', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.uint8Array({maxLength: 300}), {maxLength: 20}), async pieces => {
			expect(await hashFile(filed(pieces as Uint8Array<ArrayBuffer>[]), nothing)).toBe(sha256Of(Buffer.concat(pieces)))
		})
	)
})

test('progress is reported ten times a second, and never goes back', async () => {
	const bytes = new Uint8Array(randomBytes(1000))
	let time = 0
	const told: number[] = []
	await hashFile(
		filed(Array.from({length: 100}, () => bytes)),
		done => told.push(done),
		() => (time += 5)
	)
	expect(told.length).toBeGreaterThan(2)
	expect(told.length).toBeLessThan(12)
	expect(told).toEqual(told.toSorted((a, b) => a - b))
})

test('a file that cannot be read to its end has no hash', async () => {
	const broken = {
		stream: () =>
			new ReadableStream<Uint8Array<ArrayBuffer>>({
				start: controller => controller.error(new DOMException('The file changed.', 'NotReadableError'))
			})
	}
	await expect(hashFile(broken, nothing)).rejects.toThrow('The file changed.')
})
