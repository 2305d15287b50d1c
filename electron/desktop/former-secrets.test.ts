import {randomBytes} from 'node:crypto'
import {existsSync, readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {openSecretVault} from '../secrets/vault.ts'
import {takeOverSecrets, type Decryption} from './former-secrets.ts'
import {testFolder} from '#base/testing/folder.ts'

let profile: string
beforeEach(() => {
	profile = testFolder()
})
const file = () => join(profile, 'desktop-secrets.json')
const vault = () => openSecretVault({folder: profile, random: randomBytes})

function formerly(secrets: Readonly<Record<string, string>>) {
	const turned = Object.entries(secrets).map(([name, text]) => [name, turn(Buffer.from(text)).toString('base64')])
	writeFileSync(file(), JSON.stringify(Object.fromEntries(turned)), {mode: 0o600})
}

function turn(bytes: Buffer) {
	return Buffer.from(bytes.map(byte => byte ^ 0xff))
}

function decryption(change: Partial<Decryption> = {}): Decryption {
	return {isAvailable: async () => true, decrypt: async encrypted => turn(encrypted).toString(), ...change}
}

const takeOver = (to: Parameters<typeof takeOverSecrets>[2]) => takeOverSecrets(profile, decryption(), to)

test('what the window kept for itself can be read by every host, and its file goes', async () => {
	formerly({one: 'a', two: 'b'})
	const taken = await takeOver(vault())
	expect(taken?.message).toMatch(/moved into the store that all hosts share: 2 \([^)]+\)\.$/)
	await taken?.forget()
	expect([await vault().read('one'), await vault().read('two'), existsSync(file())]).toEqual(['a', 'b', false])
	expect(await takeOver(vault())).toBeNull()
})

test('a kill before the file went has it taken over again, and changes nothing', async () => {
	formerly({one: 'a'})
	await takeOver(vault())
	const again = await takeOver(vault())
	await again?.forget()
	expect([await vault().read('one'), existsSync(file())]).toEqual(['a', false])
})

test('of two that differ, the one that was stored last counts', async () => {
	await vault().write('old', 'vault')
	formerly({old: 'window'})
	utimesSync(file(), 1, 1)
	await takeOver(vault())
	expect(await vault().read('old')).toBe('vault')
	utimesSync(join(profile, 'secrets.json'), 1, 1)
	utimesSync(file(), 2, 2)
	await takeOver(vault())
	expect(await vault().read('old')).toBe('window')
})

test('what the system does not decrypt now stays for the next start', async () => {
	formerly({one: 'a', two: 'b'})
	const fails = async (encrypted: Buffer) => {
		if (turn(encrypted).toString() === 'b') throw new Error('wrong keychain')
		return 'a'
	}
	const taken = await takeOverSecrets(profile, decryption({decrypt: fails}), vault())
	expect(taken?.message).toContain('1 cannot be decrypted')
	await taken?.forget()
	expect(Object.keys(JSON.parse(readFileSync(file(), 'utf8')))).toEqual(['two'])
	const locked = await takeOverSecrets(profile, decryption({isAvailable: async () => false}), vault())
	await locked?.forget()
	expect(Object.keys(JSON.parse(readFileSync(file(), 'utf8')))).toEqual(['two'])
})

test('a secret that was removed since does not come back', async () => {
	formerly({one: 'a', two: 'b'})
	const store = vault()
	const taken = await takeOver(store)
	await store.remove('one')
	await taken?.forget()
	expect([await vault().read('one'), await vault().read('two')]).toEqual([undefined, 'b'])
	expect(await takeOver(vault())).toBeNull()
})

test('what any host removes is removed here too, and comes back with the change that failed', async () => {
	formerly({one: 'a', two: 'b'})
	const putBack = await vault().remove('one')
	expect(Object.keys(JSON.parse(readFileSync(file(), 'utf8')))).toEqual(['two'])
	await putBack()
	expect(Object.keys(JSON.parse(readFileSync(file(), 'utf8'))).toSorted()).toEqual(['one', 'two'])
})

test('a damaged file is said to be so and left as it is', async () => {
	writeFileSync(file(), '{"key":', {mode: 0o600})
	const damaged = {code: 'secret_unavailable', message: 'desktop-secrets.json is damaged; it was left as it is.'}
	await expect(takeOver(vault())).rejects.toMatchObject(damaged)
	expect(readFileSync(file(), 'utf8')).toBe('{"key":')
})
