import {spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {derivePassphraseKey, seal} from '#base/sealing.ts'
import {testFolder} from '#base/testing/folder.ts'
import {CordonError} from '#contract/errors.ts'
import {test} from 'vitest'

import {openSecretVault} from './vault.ts'

let folder: string
beforeEach(() => void (folder = testFolder()))

const vaultPath = () => join(folder, 'secrets.json')
const keyPath = () => join(folder, 'secrets.key')
const random = randomBytes

function openStore(passphrase?: string) {
	return openSecretVault({folder, random, ...(passphrase === undefined ? {} : {passphrase: () => Promise.resolve(passphrase)})})
}

describe.each([
	['a key file', undefined],
	['a passphrase', 'correct horse battery staple']
])('secrets under %s', (_kind, passphrase) => {
	test('are read back by another process of the same profile', async () => {
		await openStore(passphrase).write('one', 'ключ 1')
		await openStore(passphrase).write('two', '')
		const store = openStore(passphrase)
		expect(await store.unavailable()).toBeNull()
		expect([await store.read('one'), await store.read('two'), await store.read('three')]).toEqual(['ключ 1', '', undefined])
	})

	test('are removed and replaced', async () => {
		const store = openStore(passphrase)
		await store.write('one', 'a')
		await store.write('one', 'b')
		expect(await store.read('one')).toBe('b')
		await store.remove('one')
		await store.remove('one')
		expect(await store.read('one')).toBeUndefined()
	})

	test('are in no file in clear, and the files are private', async () => {
		await openStore(passphrase).write('one', 'canary-4711')
		for (const file of readdirSync(folder)) {
			expect(readFileSync(join(folder, file), 'latin1')).not.toContain('canary-4711')
			expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
		}
		expect(readdirSync(folder)).toEqual(passphrase === undefined ? ['secrets.json', 'secrets.key'] : ['secrets.json'])
	})

	test('cannot be moved to another name', async () => {
		await openStore(passphrase).write('one', 'a')
		const vault = JSON.parse(readFileSync(vaultPath(), 'utf8'))
		vault.entries = {two: vault.entries.one}
		writeFileSync(vaultPath(), JSON.stringify(vault))
		await expect(openStore(passphrase).read('two')).rejects.toThrow('was changed or damaged')
	})
})

describe('a store', () => {
	test('says what it is made with, also where a passphrase was given too late', async () => {
		expect(openStore('late').kind).toContain('under the passphrase')
		await openStore().write('one', 'a')
		const late = openStore('late')
		expect([openStore().kind, late.kind]).toEqual([expect.stringContaining('in secrets.key'), expect.stringContaining('in secrets.key')])
		// No passphrase protects it, so none is asked for.
		expect([late.checkPassphrase, await late.read('one')]).toEqual([undefined, 'a'])
	})

	test('refuses a wrong passphrase and writes nothing with it', async () => {
		await openStore('right').write('one', 'a')
		const before = readFileSync(vaultPath())
		const wrong = openStore('wrong')
		await expect(wrong.read('one')).rejects.toMatchObject({
			code: 'secret_unavailable',
			message: 'The passphrase does not open the secrets of this profile.'
		})
		await expect(wrong.write('two', 'b')).rejects.toMatchObject({code: 'secret_unavailable'})
		expect(await wrong.unavailable()).toMatch(/does not open .*profile. Give the right one with --passphrase-file/)
		expect(readFileSync(vaultPath())).toEqual(before)
	})

	test('ignores blanks around a passphrase, and opens what was made with them', async () => {
		await expect(openStore(' ').write('one', 'a')).rejects.toThrow('blank')
		await openStore(' right\t').write('one', 'a')
		expect(await openStore('right').read('one')).toBe('a')
		const vault = JSON.parse(readFileSync(vaultPath(), 'utf8'))
		const key = await derivePassphraseKey('right ', vault.key.salt, vault.key.cost)
		vault.proof = seal({key, purpose: 'cordon secrets v1', name: ''}, 'cordon', random)
		writeFileSync(vaultPath(), JSON.stringify(vault))
		const former = openStore('right ')
		expect([await former.unavailable(), await former.checkPassphrase?.('right ')]).toEqual([null, true])
	})

	test('says when a passphrase is needed', async () => {
		await openStore('right').write('one', 'a')
		await expect(openStore().read('one')).rejects.toThrow('protected by a passphrase, and none was given')
	})

	test.each(['', '{', '[]', '{"version":2}', '{"version":1,"key":{"kind":"passphrase","salt":"","cost":2},"proof":"","entries":{}}'])(
		'leaves the damaged file %j as it is',
		async content => {
			writeFileSync(vaultPath(), content, {mode: 0o600})
			await expect(openStore().write('one', 'a')).rejects.toMatchObject({
				code: 'secret_unavailable',
				message: expect.stringContaining('left as it is')
			})
			expect(await openStore().unavailable()).toMatch(/left as it is\. Restore .* from a backup, or remove it/)
			expect(readFileSync(vaultPath(), 'utf8')).toBe(content)
		}
	)

	const restore = 'Restore the key from a backup, or move secrets.json away'

	test('makes no new key when the key file of its secrets is gone', async () => {
		await openStore().write('one', 'a')
		rmSync(keyPath())
		await expect(openStore().read('one')).rejects.toThrow('secrets.key is missing')
		await expect(openStore().write('two', 'b')).rejects.toThrow('secrets.key is missing')
		expect(await openStore().unavailable()).toContain(restore)
		expect(existsSync(keyPath())).toBe(false)
	})

	test('notices a key file of another profile, and a damaged one', async () => {
		await openStore().write('one', 'a')
		writeFileSync(keyPath(), randomBytes(32).toString('base64'), {mode: 0o600})
		await expect(openStore().read('one')).rejects.toThrow('does not belong to secrets.json')
		expect(await openStore().unavailable()).toContain(restore)
		writeFileSync(keyPath(), 'short', {mode: 0o600})
		await expect(openStore().read('one')).rejects.toThrow('is damaged')
		expect(await openStore().unavailable()).toContain(restore)
	})

	test.runIf(process.platform !== 'win32').each(['secrets.key', 'secrets.json'])('does not use %s when others can read it', async name => {
		await openStore().write('one', 'a')
		chmodSync(join(folder, name), 0o640)
		await expect(openStore().read('one')).rejects.toMatchObject({code: 'secret_unavailable', message: expect.stringContaining('mode 0640')})
	})

	test('keeps what many writers write at once', async () => {
		const stores = Array.from({length: 4}, () => openStore())
		await Promise.all(Array.from({length: 20}, (_, number) => stores[number % 4]?.write(`name ${number}`, `value ${number}`)))
		const values = await Promise.all(Array.from({length: 20}, (_, number) => openStore().read(`name ${number}`)))
		expect(values).toEqual(Array.from({length: 20}, (_, number) => `value ${number}`))
	})

	test('goes on after a process was killed while it held the lock', async () => {
		const child = spawn(process.execPath, ['-e', ''])
		await once(child, 'exit')
		writeFileSync(`${vaultPath()}.lock`, JSON.stringify({pid: child.pid, started: ''}))
		await openStore().write('one', 'a')
		expect(await openStore().read('one')).toBe('a')
	})
})

test('a first secret that a locked key store does not take names the ways to do without one, and makes nothing', async () => {
	const locked = () => Promise.reject(new CordonError('secret_unavailable', 'Keychain is locked.', {fix: 'Unlock it, then try again.'}))
	const keyStore = async () => ({name: 'Keychain', read: locked, write: locked, remove: locked})
	await expect(openSecretVault({folder, random, keyStore}).write('one', 'a')).rejects.toMatchObject({
		...{code: 'secret_unavailable', message: 'Keychain is locked.'},
		details: {fix: expect.stringMatching(/^Unlock it, then try again\. .*--passphrase-file FILE.*CORDON_KEY_STORE=off.*secrets\.key/)}
	})
	expect(readdirSync(folder)).toEqual([])
})
