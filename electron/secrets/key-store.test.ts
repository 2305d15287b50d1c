/** The key of a profile in a real GNOME Keyring on a private session bus: unlocked, locked, and out of reach. */
import {execFile, execFileSync} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {fileURLToPath} from 'node:url'

import {testFolder} from '#base/testing/folder.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('testing/ask-vault.ts', import.meta.url))

function lacksKeyring() {
	try {
		for (const program of ['dbus-run-session', 'gnome-keyring-daemon']) execFileSync(program, ['--version'])
		return false
	} catch {
		process.stderr.write('Skipped: the key store of the system is proved with dbus-run-session and gnome-keyring-daemon.\n')
		return true
	}
}

let home: string
let profile: string
beforeEach(() => {
	home = testFolder()
	profile = join(home, 'profile')
	for (const folder of ['profile', 'run', 'data', 'cache']) mkdirSync(join(home, folder), {mode: 0o700})
	chmodSync(home, 0o700)
})

type Session = 'unlocked' | 'locked' | 'no bus'

const daemon = {
	unlocked: 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
	locked: 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1'
} as const

/** Output of a process in such a session, step by step. */
async function ask(session: Session, ...steps: string[]) {
	const {DBUS_SESSION_BUS_ADDRESS: _bus, DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...rest} = process.env
	const own = {XDG_RUNTIME_DIR: join(home, 'run'), XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache')}
	const env = {...rest, HOME: home, ...own}
	const words = [script, profile, ...steps]
	if (session === 'no bus') return answersIn((await run(process.execPath, words, {env})).stdout)
	const inside = ['bash', '-c', `${daemon[session]}; exec "$@"`, 'bash', process.execPath, ...words]
	return answersIn((await run('dbus-run-session', ['--', ...inside], {env})).stdout)
}

function answersIn(text: string) {
	// Printed by `ask-vault.ts`; the bus may print before it.
	return JSON.parse(text.slice(text.indexOf('['))) as unknown[]
}

const files = () => readdirSync(profile).toSorted()

const withKeyring = describe.skipIf(process.platform !== 'linux' || lacksKeyring())
const locked = {code: 'secret_unavailable', message: expect.stringContaining('is locked or does not answer')}

withKeyring('a vault whose key is in the keyring', () => {
	test('is read by other processes of the session, and no key lies in the profile', async () => {
		expect(await ask('unlocked', 'write=one=canary', 'read=one')).toEqual([null, 'canary'])
		expect(await ask('unlocked', 'read=one', 'unavailable', 'kind')).toEqual([
			'canary',
			null,
			expect.stringContaining('key store of the operating system')
		])
		expect(files()).toEqual(['secrets.json'])
		expect(readFileSync(join(profile, 'secrets.json'), 'utf8')).not.toContain('canary')
	})

	test('is refused while it is locked: nothing is changed, and no other store is made', async () => {
		await ask('unlocked', 'write=one=a')
		const before = readFileSync(join(profile, 'secrets.json'), 'utf8')
		expect(await ask('locked', 'read=one', 'write=two=b')).toEqual([locked, locked])
		expect([files(), readFileSync(join(profile, 'secrets.json'), 'utf8')]).toEqual([['secrets.json'], before])
	})

	test('cannot be read from a shell without the bus, which says how to go on', async () => {
		await ask('unlocked', 'write=one=a')
		const away = {code: 'secret_unavailable', message: expect.stringContaining('cannot be reached from here')}
		expect(await ask('no bus', 'read=one', 'write=two=b', 'unavailable')).toEqual([
			away,
			away,
			expect.stringContaining('Work in the running console')
		])
		expect(files()).toEqual(['secrets.json'])
	})

	test('has a secret removed from a shell without the bus, and it stays removed', async () => {
		await ask('unlocked', 'write=one=a', 'write=two=b')
		expect(await ask('no bus', 'remove=one')).toEqual(['function'])
		expect(await ask('unlocked', 'read=one', 'read=two')).toEqual([null, 'b'])
	})

	test('is not made while the keyring is locked: nothing weaker takes its place in silence', async () => {
		await ask('unlocked', 'write=one=a')
		rmSync(join(profile, 'secrets.json'))
		expect(await ask('locked', 'write=one=a')).toEqual([locked])
		expect(files()).toEqual([])
	})
})

withKeyring('a vault whose key lies beside it', () => {
	test('is what a machine without a key store has', async () => {
		expect(await ask('no bus', 'write=one=a', 'read=one', 'kind')).toEqual([null, 'a', expect.stringContaining('beside it in secrets.key')])
		expect(files()).toEqual(['secrets.json', 'secrets.key'])
	})

	test('is what a session has whose keyring nobody has set up, until somebody does', async () => {
		expect(await ask('locked', 'write=one=a', 'move', 'read=one')).toEqual([null, null, 'a'])
		expect(files()).toEqual(['secrets.json', 'secrets.key'])
		expect(await ask('unlocked', 'move', 'read=one')).toEqual([expect.stringContaining('GNOME Keyring'), 'a'])
	})

	test('stays so for every host until its key is moved, and keeps every secret then', async () => {
		await ask('no bus', 'write=one=a', 'write=two=b')
		expect(await ask('unlocked', 'read=one', 'write=three=c')).toEqual(['a', null])
		expect(existsSync(join(profile, 'secrets.key'))).toBe(true)
		expect(await ask('unlocked', 'move', 'read=one', 'read=three', 'move')).toEqual([expect.stringContaining('GNOME Keyring'), 'a', 'c', null])
		expect(files()).toEqual(['secrets.json'])
		expect(await ask('unlocked', 'read=two')).toEqual(['b'])
	})

	test('is not moved into a keyring that is locked', async () => {
		await ask('unlocked', 'read=one')
		await ask('no bus', 'write=one=a')
		expect(await ask('locked', 'move')).toEqual([locked])
		expect(await ask('no bus', 'read=one')).toEqual(['a'])
	})
})
