import {testClock} from '#core/service/api/testing/clock.ts'
import {memorySecrets} from '#base/testing/ports.ts'
import {createPresence} from './presence.ts'
import {revealUnlockCode} from './reveal.ts'

const protectedSecrets = {...memorySecrets(), checkPassphrase: async (text: string) => text === 'right'}
const why = 'show the unlock code of FIN-1'
const right = {passphrase: 'right', why}

test('a profile with a passphrase asks for it, and limits guesses', async () => {
	const clock = testClock()
	const presence = createPresence({secrets: protectedSecrets, clock})
	expect(await presence.asks()).toBe('passphrase')
	await expect(presence.check(right)).resolves.toBeUndefined()
	const never = () => Promise.reject(new Error('reached'))
	const codes = {list: () => [], newest: () => undefined, open: never}
	const services = {presence, clock, codes, client: () => undefined, log: {append: never}}
	const asked = {connection: {id: 'a', name: 'A'}, guid: '', label: '', reason: 'x', surface: 'screen', incident: null} as const
	await expect(revealUnlockCode(services, asked)).rejects.toMatchObject({code: 'confirmation_needed'})
	await expect(revealUnlockCode(services, {...asked, reason: ' '})).rejects.toMatchObject({details: {field: 'reason'}})
	for (let tries = 0; tries < 5; tries += 1)
		await expect(presence.check({passphrase: 'wrong', why})).rejects.toMatchObject({code: 'confirmation_needed'})
	await expect(presence.check(right)).rejects.toMatchObject({code: 'busy'})
	await clock.advance(30_000)
	await expect(presence.check(right)).resolves.toBeUndefined()
})

test('passphrases that are tried at once count one by one', async () => {
	const clock = testClock()
	let checked = 0
	const checkPassphrase = async (text: string) => {
		checked += 1
		await new Promise(setImmediate)
		return text === 'right'
	}
	const presence = createPresence({secrets: {...memorySecrets(), checkPassphrase}, clock})
	const guesses = Array.from({length: 50}, (_, index) => presence.check({passphrase: `guess ${index}`, why}))
	const all = await Promise.allSettled([...guesses, presence.check(right)])
	expect([checked, all.filter(({status}) => status === 'fulfilled').length]).toEqual([5, 0])
	await clock.advance(30_000)
	await presence.check(right)
	const again = await Promise.allSettled([1, 2, 3].map(() => presence.check(right)))
	expect(again.map(({status}) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
})

test('a passphrase that cannot be checked is no wrong one', async () => {
	let isAway = true
	const checkPassphrase = () => (isAway ? Promise.reject(new Error('locked')) : protectedSecrets.checkPassphrase('right'))
	const presence = createPresence({secrets: {...memorySecrets(), checkPassphrase}, clock: testClock()})
	for (let tries = 0; tries < 5; tries += 1) await expect(presence.check(right)).rejects.toThrow('locked')
	isAway = false
	await expect(presence.check(right)).resolves.toBeUndefined()
})

test.each([
	[true, undefined],
	[false, 'confirmation_needed']
])('a host with a prompt of the system takes its word: %s', async (answer, code) => {
	const askPerson = {available: async () => true, ask: async () => answer}
	const presence = createPresence({secrets: memorySecrets(), clock: testClock(), askPerson})
	expect(await presence.asks()).toBe('prompt')
	expect(await presence.check({passphrase: undefined, why}).catch((error: {code: string}) => error.code)).toBe(code)
})

test('a host with neither asks for nothing, and says so', async () => {
	const askPerson = {available: async () => false, ask: async () => false}
	const presence = createPresence({secrets: memorySecrets(), clock: testClock(), askPerson})
	expect(await presence.asks()).toBe('nothing')
	await expect(presence.check({passphrase: undefined, why})).resolves.toBeUndefined()
})
