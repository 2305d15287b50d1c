import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

import {testFolder} from '#base/testing/folder.ts'
import {until} from '#base/testing/until.ts'
import {ensureBuilt} from './lib/dist.mjs'
import {at, root} from './lib/paths.mjs'

const usual = ['--headless', '--no-open', '--json', '--port', '0', '--sandbox-computers', '20']

let profile: string
let started: ChildProcess[]

// A stale build would count against the first test.
beforeAll(() => ensureBuilt(process.execPath, {quiet: true}))
beforeEach(() => {
	profile = join(testFolder(), 'profile')
	started = []
})
afterEach(() => {
	for (const child of started) child.kill('SIGKILL')
})

interface Started {
	child: ChildProcess
	stdout: () => string
	stderr: () => string
	ended: Promise<number | null>
}

function start(command: string, args: string[]): Started {
	// Without npm's own variables: each start stands for itself.
	const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
	const child = spawn(command, [...args, ...usual, '--profile', profile], {cwd: root, env, stdio: ['ignore', 'pipe', 'pipe']})
	started.push(child)
	let stdout = ''
	let stderr = ''
	child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part))
	child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part))
	return {child, stdout: () => stdout, stderr: () => stderr, ended: once(child, 'close').then(() => child.exitCode)}
}

async function ready(run: Started) {
	if (run.child.stdout === null) throw new Error('no stdout')
	const line = once(createInterface({input: run.child.stdout}), 'line')
	const early = run.ended.then(code => {
		throw new Error(`ended with ${code}: ${run.stderr()}`)
	})
	const [text] = (await Promise.race([line, early])) as [string] // the one argument of this event
	return JSON.parse(text) as {url: string; pid: number} // the ready line, in the form that the next test checks
}

function script() {
	return start(process.execPath, [at('build', 'start.mjs')])
}

/** A process that is no child of ours can only be polled. */
function gone(pid: number) {
	return until('its end', () => {
		try {
			process.kill(pid, 0)
			return false
		} catch {
			return true
		}
	})
}

test('prints exactly one line when ready, serves under it, and ends with 0 on SIGTERM', async () => {
	const run = script()
	const {url, pid} = await ready(run)
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/enter\?ticket=[\w-]+$/)
	expect((await fetch(url, {redirect: 'manual'})).status).toBe(303)
	run.child.kill('SIGTERM')
	expect(await run.ended).toBe(0)
	expect(run.stdout().trim().split('\n')).toHaveLength(1)
	expect(Object.keys(JSON.parse(run.stdout()) as object)).toEqual(['event', 'url', 'pid']) // parsed above as well
	await gone(pid)
})

test('a second start on the same profile says so and ends with 1', async () => {
	const first = script()
	const {pid, url} = await ready(first)
	const second = script()
	expect(await second.ended).toBe(1)
	expect(second.stdout()).toBe('')
	expect(second.stderr()).toContain(String(pid))
	expect(second.stderr()).toContain(new URL(url).origin)
	first.child.kill('SIGINT')
	expect(await first.ended).toBe(0)
})

test('a signal to the serving process ends everything', async () => {
	const run = script()
	const {pid} = await ready(run)
	process.kill(pid, 'SIGINT')
	const code = await run.ended
	expect(code, run.stderr()).toBe(0)
})

test.skipIf(process.platform === 'win32')('the serving process does not outlive a starter that was killed', async () => {
	const run = script()
	const {pid} = await ready(run)
	run.child.kill('SIGKILL')
	await run.ended
	await gone(pid)
})

test.skipIf(process.platform === 'win32')('a signal to npm reaches the serving process', async () => {
	const run = start('npm', ['start', '--silent', '--'])
	const {pid} = await ready(run)
	run.child.kill('SIGTERM')
	await run.ended
	await gone(pid)
})

test('a wrong argument is explained in a sentence, without a stack', async () => {
	const run = start(process.execPath, [at('build', 'start.mjs'), '--nonsense'])
	expect(await run.ended).toBe(2)
	expect(run.stderr()).toContain('--nonsense')
	expect(run.stderr()).not.toContain('    at ')
})
