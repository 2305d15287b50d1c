/** `npm run bench -- forward`: Cordon's forwarding server beside other engines, interleaved, medians, ratios to nginx. */
import {connect} from 'node:tls'

import {median, memoryOf} from '../measure.ts'
import {openLab, type Lab} from './lab.ts'
import {download, latency, memoryUnderLoad, requestRate, upload} from './load.ts'
import {startSubjects, type Subject} from './subjects.ts'

const rounds = Number(process.env['CORDON_BENCH_ROUNDS'] ?? 5)
const wanted = (process.env['CORDON_BENCH_SUBJECTS'] ?? '').split(',').filter(name => name !== '')

interface Load {
	title: string
	unit: string
	/** Whether a ratio to nginx is meaningful. */
	ratio: boolean
	rounds: number
	measure: (subject: Subject, lab: Lab) => Promise<number>
}

const loads: readonly Load[] = [
	{title: '50 connections, small', unit: 'requests/s', ratio: true, rounds, measure: subject => requestRate(subject, 'small', 50)},
	{title: '200 connections, small', unit: 'requests/s', ratio: true, rounds, measure: subject => requestRate(subject, 'small', 200)},
	{title: '50 connections, 64 KB', unit: 'requests/s', ratio: true, rounds, measure: subject => requestRate(subject, '64k', 50)},
	{title: 'p99 at 1,000 requests/s', unit: 'ms', ratio: true, rounds, measure: (subject, lab) => latency(lab, subject)},
	{title: '1 GB download', unit: 'MB/s', ratio: false, rounds: 3, measure: async subject => (await download(subject)).rate},
	{
		title: 'growth in a 1 GB download',
		unit: 'MB',
		ratio: false,
		rounds: 1,
		measure: async subject => (await download(subject)).growth,
	},
	{title: '1 GB upload', unit: 'MB/s', ratio: false, rounds: 3, measure: async (subject, lab) => (await upload(lab, subject)).rate},
	{
		title: '1 GB upload, HTTP/2',
		unit: 'MB/s',
		ratio: false,
		rounds: 3,
		measure: async (subject, lab) => (await upload(lab, subject, '--http2')).rate,
	},
	{
		title: 'growth in a 1 GB upload',
		unit: 'MB',
		ratio: false,
		rounds: 1,
		measure: async (subject, lab) => (await upload(lab, subject)).growth,
	},
	{title: 'memory at 200 connections', unit: 'MB', ratio: false, rounds: 1, measure: subject => memoryUnderLoad(subject, 200)},
	{title: '1,000 idle connections more', unit: 'MB', ratio: false, rounds: 1, measure: idleMemory},
]

export async function benchForward(): Promise<string> {
	const lab = await openLab()
	const subjects = await startSubjects(lab, wanted)
	try {
		for (const subject of subjects) await warm(subject)
		const rows: string[] = []
		for (const load of loads) rows.push(await row(load, subjects, lab))
		const names = subjects.map(({name, version}) => `${name} ${version}`)
		return [`| load | ${names.join(' | ')} |`, `| --- |${' --- |'.repeat(names.length)}`, ...rows].join('\n')
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
	const cells = [...medians.values()].map(value => cell(value, load.ratio ? nginx : undefined))
	process.stderr.write(`${load.title}: ${cells.join(', ')}\n`)
	return `| ${load.title}, ${load.unit} | ${cells.join(' | ')} |`
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
	await new Promise(resolve => setTimeout(resolve, 500))
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
