/**
 * `npm run bench -- soak`: a page and a command line share one profile for a quarter of an hour, in changing weather. At the
 * end nothing may have grown, leaked, failed or slowed down.
 */
import {readdirSync} from 'node:fs'

import type {Page} from '@playwright/test'

import {memoryOf} from '../measure.ts'
import {setWeather} from '../processes.ts'
import {computerFilters as filters} from '../ui/filters.ts'
import {computers, events, withStage, type Stage} from '../ui/stage.ts'
import {openNotes, pause, type Notes} from './notes.ts'
import {askQuestions, readyComputers, runJobs} from './shell.ts'
import {fifths, judge, slowdown, type Course} from './verdict.ts'
import {untilShown} from '../ui/probe.ts'

const seconds = Number(process.env['CORDON_BENCH_SOAK_SECONDS'] ?? 900)
const sampleMs = Math.min(5000, seconds * 10)
const weatherMs = Math.min(20_000, seconds * 40)
const grownMb = 100
const grownDescriptors = 8
const mostShown = 30
/** A busy machine may be slow; an answer that never comes is a fault. */
const patienceMs = 120_000

/** Fair, then each kind of trouble that passes by itself. */
const weathers: readonly (readonly string[])[] = [
	[],
	['* *=latency:150'],
	['GET *=503,p:0.1'],
	['GET /v1/computers*=429:2,times:2'],
	['PUT *=drop,p:0.3', 'DELETE *=drop,p:0.3'],
	['GET *=truncate,p:0.05', 'GET *=reset,p:0.05']
]

export function benchSoak(): Promise<string> {
	return withStage(async stage => {
		const ready = await readyComputers(stage)
		const notes = openNotes(seconds)
		stage.page.setDefaultTimeout(patienceMs)
		const wires = watchWire(stage.page, notes)
		// The connection that the page opened earlier was not watched; the new one is.
		await stage.page.reload()
		await Promise.all([
			usePage(stage, notes),
			askQuestions(stage, notes),
			runJobs(stage, notes, ready),
			changeWeather(stage, notes),
			takeSamples(stage, notes)
		])
		if (wires() !== 1) notes.fault(`The page opened ${wires()} WebSockets instead of one.`)
		complaintsOf(stage).forEach(notes.fault)
		return verdictOn(notes)
	})
}

async function changeWeather({sandbox}: Stage, notes: Notes) {
	await notes.each(async turn => {
		await setWeather(sandbox, weathers[turn % weathers.length] ?? [])
		await pause(weatherMs)
	})
	await setWeather(sandbox, [])
}

async function takeSamples({host}: Stage, notes: Notes) {
	await notes.each(async () => {
		notes.add('memory', memoryOf(host.pid))
		notes.add('descriptors', readdirSync(`/proc/${host.pid}/fd`).length)
		await pause(sampleMs)
	})
}

/** Lines of the host's log that report a fault, and lines that are no log entry. */
function complaintsOf({host}: Stage) {
	return host
		.said()
		.split('\n')
		.filter(line => line !== '' && !/^\{"level":"(?:debug|info|warn)"/.test(line))
		.map(line => `The host said: ${line}`)
}

function verdictOn(notes: Notes) {
	const {table, broken} = judge(coursesOf(notes))
	const done = notes.of('jobs done').length
	const inPart = notes.of('jobs in part').length
	const work = `${computers.toLocaleString('en')} computers, ${events.toLocaleString('en')} events, ${seconds} s: ${notes.of('/computers').length + notes.of('/events').length} filters, ${notes.of('command line').length} commands, ${done} jobs to their end and ${inPart} in part, as the weather was.`
	const faults = [...broken, ...notes.faults, ...(done === 0 ? ['No job came to its end.'] : [])]
	const memory = fifths(notes.of('memory')).map(value => value.toFixed(0))
	const text = `${work}\n\n${table}\n\nMemory of the host process in the fifths of the time: ${memory.join(', ')} MB.`
	if (faults.length > 0) throw new Error(`The soak found ${faults.length} faults:\n${faults.slice(0, mostShown).join('\n')}\n\n${text}`)
	return `${text}\n\nNo unhandled error in host and page; the page kept its one WebSocket.`
}

function coursesOf(notes: Notes): readonly Course[] {
	const grows = (name: string, of: string, unit: string, by: number): Course => ({
		name,
		unit,
		samples: notes.of(of),
		most: begin => begin + by,
		bound: `${by} more`
	})
	const slower = slowdown(notes.of('node'))
	// Other work may slow the machine: a start of Node alone measures how much.
	const busier = slower > 1.1 ? `, on a machine ${slower.toFixed(1)} times as slow` : ''
	const staysFast = (name: string, of: string): Course => ({
		name,
		unit: 'ms',
		samples: notes.of(of),
		most: begin => begin * slower * 1.5 + 30,
		bound: `half as much again, and 30 ms${busier}`
	})
	const machine: Course = {name: '`node -e 0`', unit: 'ms', samples: notes.of('node'), most: () => Infinity, bound: ''}
	return [
		grows('memory of the host process', 'memory', 'MB', grownMb),
		grows('descriptors of the host process', 'descriptors', 'open', grownDescriptors),
		staysFast('filter over computers: input to rows on the screen', '/computers'),
		staysFast('filter over events: input to rows on the screen', '/events'),
		staysFast('`cordon svc_get_version`', 'command line'),
		machine
	]
}

/* A person at the page: filters, screens, and back, while the wire is watched. */

const eventFilters = ['severity>=high', 'outcome:open', 'powershell']
const others = ['/overview', '/jobs', '/groups', '/file-lists', '/log']
const breathMs = 400

async function usePage(stage: Stage, notes: Notes) {
	await notes.each(async turn => {
		await filterOn(stage, notes, '/computers', filters[turn % filters.length] ?? '')
		await filterOn(stage, notes, '/events', eventFilters[turn % eventFilters.length] ?? '')
		await stage.visit(others[turn % others.length] ?? '/overview')
		await stage.page.getByRole('main').waitFor()
		await pause(breathMs)
	})
}

async function filterOn({page, visit}: Stage, notes: Notes, path: string, text: string) {
	await visit(path)
	const box = page.getByRole('searchbox', {name: /filter/i})
	await page.locator('[data-shown]').first().waitFor()
	await box.fill('')
	await pause(breathMs)
	notes.add(path, await untilShown(page, () => box.fill(text)))
	notes.add(path, await untilShown(page, () => box.fill('')))
}

/** Call it before the page loads: it notes how many wires the page opened, and which of them ended. */
function watchWire(page: Page, notes: Notes) {
	let opened = 0
	page.on('websocket', socket => {
		opened += 1
		socket.on('close', () => {
			if (!notes.isOver()) notes.fault('A WebSocket of the page ended.')
		})
	})
	page.on('pageerror', error => notes.fault(`The page failed: ${error.message}`))
	page.on('console', message => {
		if (message.type() === 'error') notes.fault(`The page complained: ${message.text()}`)
	})
	return () => opened
}
