import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'

import {until} from '#base/testing/until.ts'
import {createIdentities, identityOf, isAlive, ownIdentity, type ProcessSystem} from './process-identity.ts'

test('this process lives, one that ended does not, and one of the same number that started at another time is another', async () => {
	expect([isAlive(ownIdentity()), isAlive({pid: -1, started: ''})]).toEqual([true, false])
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
	const known = identityOf(child.pid ?? 0)
	expect(isAlive(known)).toBe(true)
	expect(isAlive({...known, started: ownIdentity().started})).toBe(process.platform !== 'linux')
	child.kill('SIGKILL')
	await once(child, 'exit')
	expect(isAlive(known)).toBe(false)
})

test('that this one lives is known without another look', () => {
	const read = vi.fn<ProcessSystem['read']>(() => '1 (node) S 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 4711')
	const {isAlive: lives, own} = createIdentities({platform: 'linux', read, run: () => expect.unreachable(), exists: () => expect.unreachable()})
	const self = own()
	read.mockClear()
	expect([lives(self), lives({...self, started: 'before'}), read.mock.calls]).toEqual([true, false, []])
})

test.runIf(process.platform === 'linux')('one that ended lives no more, though nobody takes note of its end', async () => {
	// Named by a program that knows of no child: a shell would take note of its end.
	const careless = spawn('sh', ['-c', 'sleep 600 & exec sh -c "echo $!; exec sleep 600"'])
	onTestFinished(() => void careless.kill())
	const known = identityOf(Number(String((await once(careless.stdout, 'data'))[0])))
	expect(isAlive(known)).toBe(true)
	// Until then it is a shell.
	await until('the careless program', () => readFileSync(`/proc/${careless.pid}/comm`, 'utf8') === 'sleep\n')
	process.kill(known.pid)
	await until('its end', () => !isAlive(known))
	expect(() => process.kill(known.pid, 0)).not.toThrow()
})

describe.each([
	['darwin', 'Mon Nov 23 13:05:12 2026\n', new Date(2026, 10, 23, 13, 5, 12)],
	['freebsd', 'Sun Nov  1 03:00:00 2026\n', new Date(2026, 10, 1, 3, 0, 0)],
	['win32', '2026-11-23T13:05:12.1234567Z\r\n', new Date('2026-11-23T13:05:12.123Z')]
])('on %s', (platform, answer, start) => {
	const system = (told: string): ProcessSystem => ({
		platform,
		read: () => expect.fail('there is no /proc'),
		run: () => told,
		exists: pid => pid === 7
	})
	const later = (ms: number) => new Date(start.getTime() + ms).toISOString()

	test('a number that was given to another process is not taken for the first one', () => {
		const {isAlive: lives, of} = createIdentities(system(answer))
		expect(of(7).started).toBe(start.toISOString())
		expect(lives({pid: 7, started: later(1900)})).toBe(true)
		expect(lives({pid: 7, started: later(-3_600_000)})).toBe(false)
		expect(lives({pid: 8, started: later(0)})).toBe(false)
	})

	test('a process that ends while it is looked for has ended', () => {
		const seen = [true, false]
		const lost = {...system(''), exists: () => seen.shift() === true}
		expect(createIdentities(lost).isAlive({pid: 7, started: later(0)})).toBe(false)
	})

	test('without a start time the number counts: a profile in use is never taken over', () => {
		const {isAlive: lives} = createIdentities(system(''))
		expect(lives({pid: 7, started: later(-3_600_000)})).toBe(true)
		expect(createIdentities(system(answer)).isAlive({pid: 7, started: ''})).toBe(true)
	})
})

test.runIf(spawnSync('ps', ['-o', 'lstart=', '-p', '1']).status === 0)('ps tells the start of a real process', () => {
	const run: ProcessSystem['run'] = (program, args) => String(spawnSync(program, args).stdout)
	const system: ProcessSystem = {platform: 'darwin', read: () => '', run, exists: () => true}
	const {of, own, isAlive: lives} = createIdentities(system)
	expect(Math.abs(Date.parse(of(process.pid).started) - Date.parse(own().started))).toBeLessThan(5000)
	expect(lives(own())).toBe(true)
})
