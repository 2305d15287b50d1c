/** Loads on one subject: wrk, h2load, curl. */
import {spawn} from 'node:child_process'
import {readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'

import {memoryOf} from '../measure.ts'
import {pinned, type Lab} from './lab.ts'
import type {Subject} from './subjects.ts'

const seconds = Number(process.env['CORDON_BENCH_SECONDS'] ?? 6)

function url({port}: Subject, path: string, instance = 'bench') {
	return `https://127.0.0.1:${port}/instance/execute/${instance}/${path}`
}

/** Requests a second over kept connections; throws when an answer was not 2xx. */
export async function requestRate(subject: Subject, path: string, connections: number) {
	const args = ['-t2', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', url(subject, path)]
	const out = await run('wrk', args)
	const bad = /Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1]
	if (bad !== undefined) throw new Error(`${subject.name} answered ${bad} requests with an error`)
	return Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1])
}

/** 99th percentile in milliseconds at 1,000 requests a second over 50 connections. */
export async function latency(lab: Lab, subject: Subject) {
	const log = join(lab.folder, 'h2load.log')
	rmSync(log, {force: true})
	const pace = ['--h1', '-c50', '-t1', '--rps=20', '-D', String(seconds), `--log-file=${log}`]
	await run('h2load', [...pace, url(subject, 'small')])
	const times = readFileSync(log, 'utf8')
		.split('\n')
		.filter(line => line !== '')
		.map(line => Number(line.split('\t')[2]) / 1000)
		.toSorted((a, b) => a - b)
	return times[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** MB a second of one 1 GB download, and the most that the subject grew, in MB. */
export async function download(subject: Subject): Promise<Transfer> {
	return transferOf(subject, 1024, ['--http1.1', '-o', '/dev/null', url(subject, '1g')])
}

/** `version`: as an option of curl. */
export async function upload(lab: Lab, subject: Subject, version = '--http1.1'): Promise<Transfer> {
	const file = join(lab.folder, 'files', '1g')
	return transferOf(subject, 1024, [version, '-T', file, '-o', '/dev/null', url(subject, 'put', 'sink')])
}

export interface Transfer {
	rate: number
	growth: number
}

/** One run of curl that moves `size` MB. */
export async function transferOf(subject: Subject, size: number, args: readonly string[]): Promise<Transfer> {
	const before = memoryOf(subject.pid)
	let most = before
	const timer = setInterval(() => (most = Math.max(most, memoryOf(subject.pid))), 50)
	const began = performance.now()
	try {
		await run('curl', ['-sS', '--fail', '-k', '-H', 'Expect:', ...args])
	} finally {
		clearInterval(timer)
	}
	return {rate: size / ((performance.now() - began) / 1000), growth: most - before}
}

/** Memory in MB while all connections are busy. */
export async function memoryUnderLoad(subject: Subject, connections: number) {
	let most = 0
	const timer = setInterval(() => (most = Math.max(most, memoryOf(subject.pid))), 200)
	await requestRate(subject, 'small', connections).finally(() => clearInterval(timer))
	return most
}

function run(command: string, args: readonly string[]): Promise<string> {
	return new Promise((resolve, reject) => {
		const child = spawn(...pinned('others', command, args), {stdio: ['ignore', 'pipe', 'pipe']})
		let out = ''
		let err = ''
		child.stdout.on('data', (text: Buffer) => (out += text.toString()))
		child.stderr.on('data', (text: Buffer) => (err += text.toString()))
		child.once('error', () => reject(new Error(`${command} is not installed`)))
		child.once('close', code => {
			if (code === 0) resolve(out)
			else reject(new Error(`${command} ended with ${code}: ${err.trim()}`))
		})
	})
}
