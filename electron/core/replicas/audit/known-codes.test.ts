import {codesAmong, createCodeDigest} from './known-codes.ts'

const random = (bytes: number) => new Uint8Array(bytes).fill(7)

function secretsOf(kept: Map<string, string>) {
	return {read: async (name: string) => kept.get(name), write: async (name: string, value: string) => void kept.set(name, value)}
}

test('a code is found in a later text, also inside a word, and nothing else is', async () => {
	const digestOf = await createCodeDigest({secrets: secretsOf(new Map()), random})()
	const known = [{digest: digestOf('tango42x'), length: 8}]
	expect(codesAmong(['the code (tango42x), again', 'tango42'], known, digestOf)).toEqual(['tango42x'])
	expect(codesAmong(['nothing here'], known, digestOf)).toEqual([])
})

test('the key is made once and kept in the secret store', async () => {
	const kept = new Map<string, string>()
	const first = await createCodeDigest({secrets: secretsOf(kept), random})()
	expect(kept.size).toBe(1)
	const second = await createCodeDigest({secrets: secretsOf(kept), random: bytes => new Uint8Array(bytes)})()
	expect(second('a')).toBe(first('a'))
})

test('without a secret store the process has a key of its own', async () => {
	const refuse = async () => await Promise.reject(new Error('No keychain'))
	const digest = createCodeDigest({secrets: {read: refuse, write: refuse}, random})
	expect((await digest())('a')).toBe((await digest())('a'))
})
