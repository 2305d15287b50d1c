/**
 * `npm run bench -- desktop`: the built program in Electron beside an empty window of the same Electron, in turn. The
 * sandbox service is a process of its own and not in the figures.
 */
import {execFileSync, spawn, type ChildProcess, type ChildProcessByStdio} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {createInterface, type Interface} from 'node:readline'
import type {Readable, Writable} from 'node:stream'
import {setTimeout as wait} from 'node:timers/promises'
import {pathToFileURL} from 'node:url'

import {debuggerOf, planDesktop} from '../../lib/desktop-tests.mjs'
import {electronBinary} from '../../lib/electron.mjs'
import {at} from '../../lib/paths.mjs'
import {median, row, type Figure} from '../measure.ts'
import {withTenant} from '../processes.ts'
import {insideWindow} from './inside.ts'

const pairs = Number(process.env['CORDON_BENCH_PAIRS'] ?? 15)
const interactions = Number(process.env['CORDON_BENCH_INTERACTIONS'] ?? 5000)
const restMs = 10_000
const restPairs = 5
/** What is of no more use after the last key is given back when the page has been idle for a while. */
const settleMs = 40_000
/** Longer than the service needs for the pages of the largest tenant. */
const fillMs = 40_000
/** A row of the list with a computer in it; while it loads, the rows have no state. */
const rowOfComputer = 'main [role=row][aria-label*="isolation:"]'

export async function benchDesktop(): Promise<readonly Figure[]> {
	const binary = electronBinary()
	if (binary === undefined) throw new Error('Electron is not installed, and ELECTRON_OVERRIDE_DIST_PATH names none.')
	// The command line makes the profile, and may reach another key store than the window.
	process.env['CORDON_KEY_STORE'] = 'off'
	const stage = await openStage(binary)
	try {
		return [...(await measured(stage, 2000)), ...(await measured(stage, 100_000))]
	} finally {
		stage.close()
	}
}

interface Stage {
	/** Starts Electron with the entry of the bench, as the user who may. */
	start(program: Program | undefined): ReturnType<typeof startElectron>
	own(folder: string): void
	close(): void
}

/** One display and one session bus for all starts; for root, another user starts the program. */
async function openStage(binary: string): Promise<Stage> {
	const plan = planDesktop({binary})
	if ('skip' in plan) throw new Error(`No window can open: ${plan.skip}.`)
	// Through env, which may stand before nothing.
	const before = [...plan.before, 'sh'].filter(word => word !== undefined)
	const names = ['DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS']
	const script = `printf '%s\\n' "${names.map(name => `$${name}`).join('|')}"; cat`
	const session = spawn('env', [...before, '-c', script], {stdio: ['pipe', 'pipe', 'inherit']})
	// The one argument of this event.
	const [line] = (await once(createInterface({input: session.stdout}), 'line')) as [string]
	const values = line.split('|')
	const display = names.map((name, index) => `${name}=${values[index] ?? ''}`)
	const asUser = plan.user === undefined ? [] : ['runuser', '-u', plan.user, '--']
	return {
		start: program => {
			const words = [...asUser, 'env', ...display, ...environmentOf(program), binary]
			return program?.isSteered === true ? startElectron([...words, '--remote-debugging-port=0'], 'pipe') : startElectron(words)
		},
		own: folder => {
			if (plan.user !== undefined) execFileSync('chown', ['-R', plan.user, folder])
		},
		close: () => session.stdin.end()
	}
}

interface Program {
	profile: string
	/** The build for tests, whose debugger is told. */
	isSteered?: boolean
}

function environmentOf(program: Program | undefined): readonly string[] {
	if (program === undefined) return ['CORDON_BENCH_CONTENT=p']
	return [
		'CORDON_KEY_STORE=off',
		`CORDON_BENCH_CONTENT=${rowOfComputer}`,
		`CORDON_BENCH_PROGRAM=${pathToFileURL(at('dist', 'node', program.isSteered === true ? 'main-test.js' : 'main.js')).href}`,
		`CORDON_ARGUMENTS=${JSON.stringify(['--profile', program.profile, '--no-sandbox'])}`
	]
}

function startElectron([command = '', ...words]: readonly string[], stderr: 'ignore' | 'pipe' = 'ignore') {
	const began = Date.now()
	const entry = at('build', 'bench', 'desktop', 'entry.mjs')
	const child = spawn(command, [...words, '--disable-gpu', entry], {stdio: ['pipe', 'pipe', stderr], cwd: '/'}) as ChildProcessByStdio<
		Writable,
		Readable,
		Readable | null
	> // the first two are pipes
	const lines = createInterface({input: child.stdout})
	return {
		child,
		/** From the start of the process to the end of the first frame with content, in milliseconds. */
		drawnMs: next(child, lines, 'drawn').then(time => Number(time) - began),
		walk: async (steps: number) => {
			const walked = next(child, lines, 'walked')
			child.stdin.write(`walk ${steps}\n`)
			await walked
		},
		/** Proportional memory of all its processes, in MB. */
		memory: () => familyOf(child.pid ?? 0).reduce((sum, pid) => sum + shareOf(pid), 0),
		stop: () => stop(child)
	}
}

/** The value of a fact that the entry tells in a line. */
function next(child: ChildProcess, lines: Interface, fact: string) {
	return new Promise((resolve, reject) => {
		child.once('exit', () => reject(new Error(`Electron ended before it said "${fact}".`)))
		lines.on('line', line => {
			if (!line.startsWith('{')) return
			const facts = JSON.parse(line) as Record<string, unknown>
			if (fact in facts) resolve(facts[fact])
		})
	})
}

/** Helpers come and go: whoever started it is the first of the family that has a process of its own. */
async function stop(child: ChildProcess) {
	const ended = once(child, 'exit')
	const program = familyOf(child.pid ?? 0).find(pid => nameOf(pid) === 'electron')
	process.kill(program ?? child.pid ?? 0, 'SIGTERM')
	await ended
}

/** The process and all below it, the oldest first. */
function familyOf(pid: number): readonly number[] {
	const children = readdirSync('/proc')
		.map(Number)
		.filter(other => parentOf(other) === pid)
	return [pid, ...children.flatMap(familyOf)]
}

function parentOf(pid: number) {
	return Number(read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')[1])
}

function nameOf(pid: number) {
	return read(`/proc/${pid}/comm`)?.trim()
}

/** Zero for what is not Electron's: the programs that start it as another user. */
function shareOf(pid: number) {
	if (!/electron|exe|chrome/.test(nameOf(pid) ?? '')) return 0
	return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) / 1024
}

function read(path: string) {
	try {
		return readFileSync(path, 'utf8')
	} catch {
		return undefined
	}
}

async function measured(stage: Stage, computers: number) {
	return await withTenant(computers, async profile => {
		stage.own(dirname(profile))
		await fillCopy(stage, profile, computers)
		const starts = await inTurn(stage, profile, computers)
		// The memory is compared where most people are.
		const rest = computers > 2000 ? await inside(stage, profile) : await afterLong(stage, profile)
		return [...starts, ...rest]
	})
}

/** The first start reads the tenant from the service; the ones that are measured start from the local copy. */
async function fillCopy(stage: Stage, profile: string, computers: number) {
	const first = stage.start({profile})
	await first.drawnMs
	await wait(computers > 2000 ? fillMs : restMs)
	await first.stop()
}

async function inside(stage: Stage, profile: string) {
	const started = stage.start({profile, isSteered: true})
	const address = await debuggerOf(started.child)
	// Nobody takes hold of a window that is being made: it might stay blank.
	await started.drawnMs
	// The copy is renewed after each start, and that is a figure of its own.
	await wait(fillMs)
	const figures = await insideWindow(address)
	await started.stop()
	return told(figures)
}

async function inTurn(stage: Stage, profile: string, computers: number) {
	const [empty, ours]: [number[], number[]] = [[], []]
	for (let pair = 0; pair < pairs; pair += 1) {
		empty.push(await startOnce(stage, undefined))
		ours.push(await startOnce(stage, {profile}))
	}
	const over = `with ${computers} computers in the local copy`
	const goal = Math.round(2 * median(empty) + 150)
	return told([
		{name: `start of an empty window, in turn with the next line`, unit: 'ms', values: empty},
		{name: `start to the first rows ${over}`, unit: 'ms', values: ours, target: `at most ${goal}`}
	])
}

async function startOnce(stage: Stage, program: {profile: string} | undefined) {
	const started = stage.start(program)
	const ms = await started.drawnMs
	await started.stop()
	return ms
}

async function afterLong(stage: Stage, profile: string) {
	const [empty, ours]: [number[], number[]] = [[], []]
	for (let pair = 0; pair < restPairs; pair += 1) {
		empty.push(await atRest(stage, undefined))
		ours.push(await atRest(stage, {profile}))
	}
	const [busy, settled] = await afterWalk(stage, profile)
	const ratio = {unit: 'x', target: 'at most 1.8'} as const
	return told([
		{name: 'memory of an empty window at rest', unit: 'MB', values: empty},
		{name: 'memory with 2000 computers at rest', unit: 'MB', values: ours},
		{name: 'ratio of the medians', ...ratio, values: [median(ours) / median(empty)]},
		{name: `memory at the last of ${interactions} interactions without a pause`, unit: 'MB', values: [busy]},
		{name: `memory ${settleMs / 1000} s later`, unit: 'MB', values: [settled]},
		{name: 'ratio to the empty window', ...ratio, values: [settled / median(empty)]}
	])
}

async function afterWalk(stage: Stage, profile: string): Promise<readonly [busy: number, settled: number]> {
	const started = stage.start({profile})
	await started.drawnMs
	await started.walk(interactions)
	const busy = started.memory()
	await wait(settleMs)
	const settled = started.memory()
	await started.stop()
	return [busy, settled]
}

async function atRest(stage: Stage, program: Program | undefined) {
	const started = stage.start(program)
	await started.drawnMs
	await wait(restMs)
	const megabytes = started.memory()
	await started.stop()
	return megabytes
}

/** Each when it is there: all of them take minutes. */
function told(figures: readonly Figure[]) {
	for (const figure of figures) process.stderr.write(`${row(figure)}\n`)
	return figures
}
