/** The build that people get, untouched: nobody steers it, and the test asks the display what it shows. */
import {execFile, spawnSync} from 'node:child_process'
import {copyFile, mkdir, rmdir, symlink} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'

import {startConsole} from '../processes.ts'
import {lacks} from './bus.ts'
import {visibleWindow} from './display.ts'
import {expect, test as base, type Ordinary} from './desktop.ts'

const run = promisify(execFile)
const binary = process.env['CORDON_ELECTRON'] ?? ''

interface Fixtures {
	/** A start as by an installed program's icon, which cannot succeed: confirms the message and returns it. */
	startToldInWindow: (...more: string[]) => Promise<string>
}

const test = base.extend<Fixtures>({
	startToldInWindow: async ({profile, display, startOrdinary}, use) => {
		base.skip(lacks('xdotool', 'xvfb'), 'the message is confirmed by xdotool on an Xvfb')
		const own = `${profile}-program`
		await run('cp', ['-rs', dirname(binary), own])
		// By this name Electron takes itself for an installed program.
		await copyFile(binary, join(own, 'installed'))
		const instead = [
			'sh',
			'-c',
			'export DISPLAY=$0; program=$1; shift 2; exec "$program" "$@"',
			display.environment.DISPLAY,
			join(own, 'installed')
		]
		await use(async (...more) => {
			const {child, ended} = startOrdinary(more, undefined, instead)
			await display.typeInto(child.pid, /^Error$/, 'Shift_L', ' ', 'Return')
			const {code, said} = await ended
			expect(code).toBe(1)
			return said
		})
	}
})
/** Where the pass is required, a missing tool is a failure. */
const canAskDisplay = process.env['CORDON_DESKTOP'] === 'required' || spawnSync('xdotool', ['version']).error === undefined

for (const [what, args, title] of [
	['on the sandbox tenant', ['--sandbox-computers', '300'], / · Cordon$/],
	// Nothing to wait for at the end: the shortest way out.
	['without any connection', ['--no-sandbox'], /Cordon$/]
] as const) {
	test(`the window opens ${what}, stays, and quits on request`, async ({startOrdinary}) => {
		test.skip(!canAskDisplay, 'xdotool asks the X server for the windows, and is not installed')
		const program = startOrdinary([], args)
		expect(await windowOf(program, title)).toMatch(/^\d+$/)
		expect([program.child.exitCode, program.child.signalCode]).toEqual([null, null])
		// As at the session's end: Electron takes it as Quit.
		program.child.kill('SIGTERM')
		expect(await program.ended).toMatchObject({code: 0, signal: null})
	})
}

test('a profile in use by a headless console is left alone, with a message', async ({profile, startToldInWindow}) => {
	const headless = await startConsole(profile, ['--sandbox-computers', '20'])
	try {
		const said = await startToldInWindow()
		expect(said).toContain(String(headless.pid))
		expect(said).toContain('Use that console, stop it, or')
		expect(said).not.toContain('    at ')
	} finally {
		await headless.stop()
	}
})

test('a profile that cannot be used is no running Cordon', async ({profile, startToldInWindow}) => {
	await mkdir(profile, {mode: 0o500})
	expect(await startToldInWindow()).toContain('The profile cannot be locked: EACCES')
	await rmdir(profile)
	await symlink(tmpdir(), profile)
	expect(await startToldInWindow()).toContain(`is a link. Nothing in it was opened. Name the folder that it leads to: ${tmpdir()}`)
})

for (const weak of ['--remote-debugging-port=0', '--remote-debugging-pipe', '--disable-web-security', '--no-sandbox']) {
	test(`it does not run with ${weak}`, async ({startOrdinary}) => {
		const {code, said} = await startOrdinary([weak]).ended
		expect(code).toBe(1)
		expect(said).toContain(`Cordon does not run with ${weak.split('=', 1)[0]}`)
	})
}

test('a profile named where the window does not look for it is refused: it would open another', async ({startToldInWindow}) => {
	expect(await startToldInWindow('--profile=/elsewhere')).toContain('name the folder in CORDON_PROFILE')
})

/** Like a system that lets no program make namespaces: root's files are nobody's, and no namespace can be made. */
const forbidding = [
	...['unshare', '--user', '--map-current-user', '--keep-caps', 'sh', '-c'],
	...['echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"', 'sh']
] as const

test('where Electron cannot create its sandbox, Cordon says so before it exits', async ({startOrdinary}) => {
	const [command, ...before] = forbidding
	test.skip(spawnSync(command, [...before, 'true']).status !== 0, 'this system makes no namespace in which it forbids more')
	const {said, signal, code} = await startOrdinary([], ['--no-sandbox'], forbidding).ended
	expect([code, signal], said).toEqual([null, 'SIGTRAP'])
	// The check of `npm start` before it starts Electron.
	const asks = `import('./build/lib/electron.mjs').then(({ whyNoSandbox }) => console.log(JSON.stringify(whyNoSandbox(process.argv[1]) ?? null)))`
	const ask = [process.execPath, '-e', asks, binary] as const
	const cwd = join(import.meta.dirname, '..', '..')
	const there = await run(command, [...before, ...ask], {cwd})
	expect(JSON.parse(there.stdout)).toMatchObject({fix: expect.stringMatching(/^sudo chown root .*chrome-sandbox'$/)})
	// Here, where all other windows open, the check finds nothing.
	const [node, ...args] = ask
	expect(JSON.parse((await run(node, args, {cwd})).stdout)).toBeNull()
})

/** The program's window by title, once it has one; an earlier end fails with the program's output. */
async function windowOf({child, ended}: Ordinary, title: RegExp) {
	const early = ended.then(({code, signal, said}) => {
		throw new Error(`The program ended (${code ?? signal}) before its window was there:\n${said}`)
	})
	const find = async () => {
		let found = ''
		await expect.poll(async () => (found = await visibleWindow(child.pid ?? 0, title))).toMatch(/^\d+$/)
		return found
	}
	return Promise.race([find(), early])
}
