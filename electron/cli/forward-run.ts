import {write} from 'node:fs'
import {isAbsolute, join} from 'node:path'

import {aborted} from '#base/due.ts'
import {prepareProfileFolder, systemClock, systemRandom} from '#base/system.ts'
import type {RequestRecord} from '#gateway/forwarder/record-types.ts'
import {problemLines} from '#gateway/instances/config-file/read.ts'
import type {ForwardFile} from '#gateway/instances/config-file/types.ts'
import {type ForwardingAlone, runForwarding} from '#gateway/instances/run-alone.ts'
import {CordonError, reportError, usageError, systemCode} from '#contract/errors.ts'
import {showUnseenInJson} from '#text/foreign.ts'
import {printed} from './failure.ts'
import {configPath, fileOf} from './forward-file.ts'
import {createMetrics, type MetricsServer, type RequestMetrics, serveMetrics} from './forward-metrics.ts'
import {profileFolder, type CliHost} from './host.ts'
import type {SubCall} from './session.ts'

interface Run extends SubCall {
	log: ForwardLog
	metrics: RequestMetrics
}

interface Serving {
	alone: ForwardingAlone
	metrics: MetricsServer
	/** The metrics port that the file asks for. */
	wantedMetrics: number
}

const drainMs = 10_000
const lastWordsMs = 1000

/** Exit code 0 after an orderly stop; 130 when a second signal cut it short. */
export async function serveAlone(call: SubCall) {
	const {host, output} = call
	const file = await fileOf(call)
	const writer = writerOf(host)
	const log = createForwardLog({json: output.mode !== 'text', write: writer.write, now: () => Date.now()})
	const run: Run = {...call, log, metrics: createMetrics()}
	log.setRequests(file.listen.log)
	tellWarnings(run, file)
	// A stop request during the start is not lost.
	let early = false
	let read = (): void => void (early = true)
	const forget = host.onReload?.(() => read())
	try {
		const serving = await start(run, file)
		announce(run, serving, 'ready')
		read = reloads(run, serving)
		if (early) read()
		await aborted(host.signal)
		read = () => {}
		return await end(run, serving)
	} finally {
		forget?.()
		log.flush()
		// The log's reader may have stopped reading.
		await Promise.race([writer.written(), systemClock.sleep(lastWordsMs)])
	}
}

async function start(run: Run, file: ForwardFile): Promise<Serving> {
	const {host, log, metrics} = run
	const alone = await runForwarding({
		file,
		folder: stateFolder(run),
		clock: systemClock,
		random: systemRandom,
		environment: environmentOf(host),
		fetchFileList: noFileList,
		onRequest: record => {
			metrics.add(record)
			log.request(record)
		},
		onHealth: (name, {state, reason}) =>
			log.note(state === 'unhealthy' ? 'warning' : 'info', `${name} is ${state}${reason === null ? '.' : `: ${reason}`}`, {
				instance: name,
				state
			}),
		onTrouble: (message, error) => log.note('warning', message, error === undefined ? {} : {cause: String(error)})
	})
	try {
		const server = await serveMetricsAt(file.listen.metricsPort, run, alone)
		return {alone, metrics: server, wantedMetrics: file.listen.metricsPort}
	} catch (error) {
		await alone.stop(0)
		throw error
	}
}

// oxlint-disable-next-line require-yield -- nothing comes by here; the file is refused before
async function* noFileList(): AsyncGenerator<never, void> {
	throw usageError('File lists need a connection, which only the console has.')
}

async function serveMetricsAt(port: number, {metrics}: Run, alone: ForwardingAlone) {
	try {
		return await serveMetrics(port, () => metrics.text(alone.counters()))
	} catch (error) {
		const code = systemCode(error) ?? String(error)
		throw new CordonError('taken', `The metrics cannot listen on port ${port} (${code}).`, {field: 'listen.metricsPort'})
	}
}

/** One reload at a time; requests during a reload cause one more. */
function reloads(run: Run, serving: Serving) {
	let turn: Promise<void> = Promise.resolve()
	let waiting = false
	return () => {
		if (waiting) return
		waiting = true
		turn = turn.then(() => {
			waiting = false
			return reload(run, serving)
		})
	}
}

/** A bad file is reported, and the old one stays in effect. */
async function reload(run: Run, serving: Serving) {
	const {output, log} = run
	try {
		const file = await fileOf(run)
		tellWarnings(run, file)
		const moved = file.listen.metricsPort !== serving.wantedMetrics
		const metrics = moved ? await serveMetricsAt(file.listen.metricsPort, run, serving.alone) : serving.metrics
		try {
			await serving.alone.reload(file)
		} catch (error) {
			if (moved) await metrics.stop()
			throw error
		}
		if (moved) await serving.metrics.stop()
		Object.assign(serving, {metrics, wantedMetrics: file.listen.metricsPort})
		log.setRequests(file.listen.log)
		log.note('info', 'The configuration was reloaded.')
		announce(run, serving, 'reloaded')
	} catch (error) {
		const report = reportError(error)
		log.note('error', `The configuration stays as it was. ${report.message}`, {error: printed(report)})
		if (output.mode !== 'text') output.json({event: 'reload_failed', error: printed(report)})
	}
	log.flush()
}

async function end({host, log}: Run, {alone, metrics}: Serving) {
	log.note('info', `Stopping: running requests get ${drainMs / 1000} s. A second signal ends them at once.`)
	log.flush()
	const cut = Symbol('cut')
	const drained = (async () => {
		await alone.stop(drainMs)
		await metrics.stop()
	})()
	const result = await Promise.race([drained, aborted(host.cut).then(() => cut)])
	log.note('info', result === cut ? 'Ended at once.' : 'Stopped.')
	return result === cut ? 130 : 0
}

function announce({output, log}: Run, {alone, metrics}: Serving, event: 'ready' | 'reloaded') {
	const {listen, authorityPath, problem} = alone
	const address = `http://127.0.0.1:${metrics.port}/metrics`
	if (problem !== null) log.note('warning', problem)
	if (output.mode !== 'text')
		return output.json({
			event,
			port: listen.port,
			ca: authorityPath,
			metrics: address,
			host: listen.host,
			pid: process.pid,
			...(problem !== null && {problem})
		})
	if (event === 'reloaded') return output.print('The configuration was reloaded.')
	const authority = authorityPath === null ? '' : `\n  Authority  ${authorityPath}`
	output.print(
		`The forwarding server listens at ${listen.host} port ${listen.port}.\n${authority}\n  Metrics    ${address}\n\nCtrl-C stops it; SIGHUP reloads its file.`
	)
}

function tellWarnings(run: Run, file: ForwardFile) {
	for (const line of problemLines(configPath(run), file.warnings)) run.log.note('warning', line)
}

/** `--state`, else the state folder that systemd gives, else the profile. */
function stateFolder({sub, host, option}: Run) {
	const named = option('state')
	const ofSystemd = host.environment['STATE_DIRECTORY']?.split(':')[0]
	if (named !== undefined) return prepareProfileFolder(named, 'state')
	if (ofSystemd !== undefined && isAbsolute(ofSystemd)) return prepareProfileFolder(ofSystemd, 'state')
	return prepareProfileFolder(join(prepareProfileFolder(profileFolder(sub.globals.profile, host)), 'forwarder'))
}

function environmentOf({environment}: CliHost): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Bytes that may wait for the log's reader. */
const mostWaiting = 4_194_304
const fullPauseMs = 20

/** Writes texts to stderr in order. A synchronous write to a pipe that nobody empties would block the whole process. */
function writerOf({stderr}: Pick<CliHost, 'stderr'>) {
	const {fd} = stderr as {fd?: number} // streams of the process have one, those of tests do not
	if (fd === undefined) return {write: (text: string) => stderr.write(text), written: () => Promise.resolve()}
	let waiting: Buffer[] = []
	let bytes = 0
	let busy = false
	let asked: (() => void)[] = []
	const next = () => {
		if (busy) return
		if (waiting.length === 0) {
			for (const tell of asked.splice(0)) tell()
			return
		}
		busy = true
		const all = Buffer.concat(waiting)
		waiting = []
		bytes = 0
		put(all)
	}
	const put = (rest: Buffer) =>
		write(fd, rest, (error, count) => {
			if (error?.code === 'EAGAIN') return void setTimeout(() => put(rest), fullPauseMs)
			if (error === null && count < rest.length) return put(rest.subarray(count))
			// The reader is gone; requests continue.
			busy = false
			next()
		})
	return {
		write: (text: string) => {
			const chunk = Buffer.from(text)
			waiting.push(chunk)
			bytes += chunk.length
			next()
			return bytes < mostWaiting
		},
		written: () =>
			new Promise<void>(resolve => {
				asked = [...asked, resolve]
				next()
			})
	}
}

/** The log of `cordon forward`: lines on stderr, batched so that many requests cost few writes. */
type ForwardLog = ReturnType<typeof createForwardLog>

const everyMs = 100
const mostBytes = 65_536

export function createForwardLog({json, write, now}: {json: boolean; write: (text: string) => boolean; now: () => number}) {
	let waiting = ''
	let timer: NodeJS.Timeout | undefined
	let which: 'all' | 'failures' | 'none' = 'all'
	let isBehind = false
	let lost = 0
	const flush = () => {
		clearTimeout(timer)
		timer = undefined
		if (waiting === '') return
		const text = waiting
		waiting = ''
		isBehind = !write(text)
	}
	const add = (line: string) => {
		waiting += `${line}\n`
		if (waiting.length > mostBytes) flush()
		else timer ??= setTimeout(flush, everyMs)
	}
	const note = (level: 'info' | 'warning' | 'error', message: string, facts: Readonly<Record<string, unknown>> = {}) => {
		const at = new Date(now()).toISOString()
		add(json ? showUnseenInJson(JSON.stringify({at, level, message, ...facts})) : `${at} ${level.padEnd(7)} ${message}`)
	}
	return {
		note,
		request: (record: RequestRecord) => {
			if (which === 'none' || (which === 'failures' && !isFailure(record))) return
			// A slow reader must neither slow requests nor fill the memory.
			if (isBehind && lost++ >= 0) return
			if (lost > 0) note('warning', `${lost} requests are missing here: the log was not read fast enough.`)
			lost = 0
			add(json ? jsonLine(record) : textLine(record))
		},
		setRequests: (value: 'all' | 'failures' | 'none') => (which = value),
		flush
	}
}

function isFailure({reason, status, endedBy}: RequestRecord) {
	return reason !== null || status >= 500 || endedBy !== 'done'
}

function jsonLine({at, phases, ...record}: RequestRecord) {
	const ms = Object.fromEntries(Object.entries(phases).map(([name, value]) => [name, tenths(value)]))
	return showUnseenInJson(JSON.stringify({at: new Date(at).toISOString(), level: 'request', ...record, phases: ms}))
}

function tenths(ms: number | null) {
	return ms === null ? null : Math.round(ms * 10) / 10
}

function textLine({at, instance, method, path, status, client, sent, phases, reason, endedBy, id}: RequestRecord) {
	const took = Object.values(phases).reduce<number>((sum, ms) => sum + (ms ?? 0), 0)
	const why = reason === null ? '' : ` ${reason}`
	const end = endedBy === 'done' ? '' : ` ended by ${endedBy}`
	return `${new Date(at).toISOString()} request ${status} ${method} ${printable(path)} ${printable(instance ?? '-')} ${client} ${sent} bytes ${took.toFixed(1)} ms${why}${end} ${id}`
}

/** Names and paths may contain terminal control characters. */
function printable(text: string) {
	return text.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u2028-\u202e\u2066-\u2069]/g, char => encodeURIComponent(char))
}
