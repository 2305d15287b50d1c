/** `npm run bench -- forward`: Cordon's forwarding server beside other engines, interleaved, medians, ratios to nginx. */
import {setTimeout as sleep} from 'node:timers/promises'
import {connect} from 'node:tls'

import {markdown, median, memoryOf} from '../measure.ts'
import {openLab, type Lab} from './lab.ts'
import {download, latency, memoryUnderLoad, requestRate, upload} from './load.ts'
import {startSubjects, type Subject} from './subjects.ts'

const rounds = Number(process.env['CORDON_BENCH_ROUNDS'] ?? 5)
const wanted = (process.env['CORDON_BENCH_SUBJECTS'] ?? '').split(',').filter(name => name !== '')

interface Load {
	title: string
	unit: string
	rounds: number
	measure: (subject: Subject, lab: Lab) => Promise<number>
}

const loads = (
	[
		['50 connections, small', 'requests/s', rounds, subject => requestRate(subject, 'small', 50)],
		['200 connections, small', 'requests/s', rounds, subject => requestRate(subject, 'small', 200)],
		['50 connections, 64 KB', 'requests/s', rounds, subject => requestRate(subject, '64k', 50)],
		['p99 at 1,000 requests/s', 'ms', rounds, (subject, lab) => latency(lab, subject)],
		['1 GB download', 'MB/s', 3, async subject => (await download(subject)).rate],
		['growth in a 1 GB download', 'MB', 1, async subject => (await download(subject)).growth],
		['1 GB upload', 'MB/s', 3, async (subject, lab) => (await upload(lab, subject)).rate],
		['1 GB upload, HTTP/2', 'MB/s', 3, async (subject, lab) => (await upload(lab, subject, '--http2')).rate],
		['growth in a 1 GB upload', 'MB', 1, async (subject, lab) => (await upload(lab, subject)).growth],
		['memory at 200 connections', 'MB', 1, subject => memoryUnderLoad(subject, 200)],
		['1,000 idle connections more', 'MB', 1, idleMemory]
	] as const satisfies readonly (readonly [string, string, number, Load['measure']])[]
).map(([title, unit, times, measure]): Load => ({title, unit, rounds: times, measure}))

export async function benchForward() {
	const lab = await openLab()
	const subjects = await startSubjects(lab, wanted)
	try {
		for (const subject of subjects) await warm(subject)
		const rows: (readonly string[])[] = []
		for (const load of loads) rows.push(await row(load, subjects, lab))
		const names = subjects.map(({name, version}) => `${name} ${version}`)
		return markdown(['load', ...names].join(' | '), rows)
	} finally {
		for (const subject of subjects) await subject.stop()
		await lab.stop()
	}
}

async function warm(subject: Subject) {
	await requestRate(subject, 'small', 50)
}

/** Takes the subjects in turn, so that other load on the machine hits all of them. */
async function row(load: Load, subjects: readonly Subject[], lab: Lab) {
	const values = new Map<string, number[]>(subjects.map(({name}) => [name, []]))
	for (let round = 0; round < load.rounds; round += 1) {
		for (const subject of subjects) values.get(subject.name)?.push(await measured(load, subject, lab))
	}
	const medians = new Map([...values].map(([name, list]) => [name, median(list)]))
	const nginx = medians.get('nginx')
	// A ratio to it is meaningful for requests alone.
	const cells = [...medians.values()].map(value => cell(value, load.unit.startsWith('MB') ? undefined : nginx))
	process.stderr.write(`${load.title}: ${cells.join(', ')}\n`)
	return [`${load.title}, ${load.unit}`, ...cells]
}

async function measured(load: Load, subject: Subject, lab: Lab) {
	try {
		return await load.measure(subject, lab)
	} catch (error) {
		process.stderr.write(`${load.title}: ${error instanceof Error ? error.message : String(error)}\n`)
		return Number.NaN
	}
}

function cell(value: number, nginx: number | undefined) {
	if (Number.isNaN(value)) return 'failed'
	const shown = value >= 100 ? String(Math.round(value)) : value.toFixed(1)
	return nginx === undefined ? shown : `${shown} (${(value / nginx).toFixed(2)})`
}

/** A subject's growth in MB with 1,000 idle connections. */
async function idleMemory(subject: Subject) {
	const before = memoryOf(subject.pid)
	const sockets = await Promise.all(Array.from({length: 1000}, () => idle(subject.port)))
	await sleep(500)
	const after = memoryOf(subject.pid)
	for (const socket of sockets) socket.destroy()
	return after - before
}

function idle(port: number): Promise<{destroy(): void}> {
	return new Promise((resolve, reject) => {
		const socket = connect({port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1']})
		socket.once('secureConnect', () => resolve(socket))
		socket.once('error', reject)
	})
}
