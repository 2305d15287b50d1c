/** Counts of a running forwarding server for Prometheus (text format 0.0.4), on its own loopback port. */
import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

import type {ForwarderCounters, RequestRecord} from '#gateway/forwarder/record-types.ts'
import {isLocalName} from '#gateway/instances/http-service.ts'

export type RequestMetrics = ReturnType<typeof createMetrics>

interface Histogram {
	counts: number[]
	sum: number
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300]

export function createMetrics() {
	const reasons = new Map<string, number>()
	const firstByte = new Map<string, Histogram>()
	return {
		add: ({reason, instance, phases}: RequestRecord) => {
			if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
			if (instance === null || phases.firstByte === null) return
			const histogram = firstByte.get(instance) ?? {counts: Array.from({length: bounds.length + 1}, () => 0), sum: 0}
			firstByte.set(instance, histogram)
			const seconds = phases.firstByte / 1000
			const at = bounds.findIndex(bound => seconds <= bound)
			const place = at < 0 ? bounds.length : at
			histogram.counts[place] = (histogram.counts[place] ?? 0) + 1
			histogram.sum += seconds
		},
		text: (counters: ForwarderCounters) =>
			[
				...serverLines(counters),
				...instanceLines(counters),
				...refusalLines(reasons),
				...histogramLines(firstByte),
				...processLines(counters),
				''
			].join('\n')
	}
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number]

function family(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, samples: readonly Sample[]) {
	if (samples.length === 0) return []
	return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`)]
}

function labelText(labels: Readonly<Record<string, string>>) {
	const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
	return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

function escaped(text: string) {
	return text
		.replaceAll('\\', '\\\\')
		.replaceAll('"', String.raw`\"`)
		.replaceAll('\n', String.raw`\n`)
}

function serverLines({connections, requests}: ForwarderCounters) {
	const one = (value: number): readonly Sample[] => [[{}, value]]
	return [
		...family('cordon_connections_open', 'gauge', 'Open connections of clients.', one(connections.open)),
		...family('cordon_connections_accepted_total', 'counter', 'Connections of clients.', one(connections.accepted)),
		...family('cordon_connections_refused_total', 'counter', 'Connections that were not let in.', one(connections.refused)),
		...family('cordon_requests_running', 'gauge', 'Requests under way.', one(requests.running)),
		...family('cordon_requests_total', 'counter', 'Finished requests.', one(requests.total))
	]
}

function instanceLines({instances}: ForwarderCounters) {
	const all = Object.entries(instances)
	const each = (name: string, type: 'counter' | 'gauge', help: string, key: 'running' | 'failures' | 'received' | 'sent' | 'upstream') =>
		family(
			`cordon_instance_${name}`,
			type,
			help,
			all.map(([instance, one]) => [{instance}, one[key]])
		)
	const answers = all.flatMap(([instance, {statuses}]) => Object.entries(statuses).map(([status, count]): Sample => [{instance, status}, count]))
	const last = all.flatMap(([instance, {lastRequest}]): readonly Sample[] => (lastRequest === null ? [] : [[{instance}, lastRequest / 1000]]))
	return [
		...each('requests_running', 'gauge', 'Requests under way at an instance.', 'running'),
		...family('cordon_instance_answers_total', 'counter', 'Answers by class of status.', answers),
		...each('failures_total', 'counter', 'Requests that an instance failed to answer.', 'failures'),
		...each('received_bytes_total', 'counter', 'Bytes of bodies from clients.', 'received'),
		...each('sent_bytes_total', 'counter', 'Bytes of bodies to clients.', 'sent'),
		...each('connections_open', 'gauge', 'Open connections to an instance.', 'upstream'),
		...family('cordon_instance_last_request_seconds', 'gauge', 'Unix time of the last request.', last)
	]
}

function refusalLines(reasons: ReadonlyMap<string, number>) {
	const samples = [...reasons].map(([reason, count]): Sample => [{reason}, count])
	return family('cordon_refusals_total', 'counter', 'Requests that did not end well, by the word of the log.', samples)
}

function histogramLines(all: ReadonlyMap<string, Histogram>) {
	if (all.size === 0) return []
	const name = 'cordon_first_byte_seconds'
	const lines = [...all].flatMap(([instance, {counts, sum}]) => {
		let total = 0
		const buckets = counts.map((count, index) => {
			total += count
			return `${name}_bucket${labelText({instance, le: String(bounds[index] ?? '+Inf')})} ${total}`
		})
		return [...buckets, `${name}_sum${labelText({instance})} ${sum}`, `${name}_count${labelText({instance})} ${total}`]
	})
	return [`# HELP ${name} Time from the end of a request's head to the first byte of its answer.`, `# TYPE ${name} histogram`, ...lines]
}

function processLines({startedAt}: ForwarderCounters) {
	const {user, system} = process.cpuUsage()
	const one = (value: number): readonly Sample[] => [[{}, value]]
	return [
		...family('process_start_time_seconds', 'gauge', 'Unix time of the start.', one(startedAt / 1000)),
		...family('process_cpu_seconds_total', 'counter', 'Time of processors used.', one((user + system) / 1_000_000)),
		...family('process_resident_memory_bytes', 'gauge', 'Memory in use.', one(process.memoryUsage.rss()))
	]
}

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>

/** Serves `/metrics` to this computer only. Rejects when the port is taken. */
export async function serveMetrics(port: number, text: () => string) {
	const server = createServer({requestTimeout: 5000, headersTimeout: 5000}, (request, response) => {
		// A web page whose name resolves to this computer (DNS rebinding) must not read it.
		const path = (request.url ?? '').split('?')[0]
		const isRead = request.method === 'GET' || request.method === 'HEAD'
		const status = !isLocalName(request.headers.host) ? 400 : path !== '/metrics' ? 404 : isRead ? 200 : 405
		const type = status === 200 ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/plain'
		response.writeHead(status, {'Content-Type': type, 'Cache-Control': 'no-store', Connection: 'close'})
		response.end(status === 200 ? text() : '')
	})
	server.listen(port, '127.0.0.1')
	await once(server, 'listening')
	return {
		port: (server.address() as AddressInfo).port, // a TCP server has such an address
		stop: async () => {
			server.close()
			server.closeAllConnections()
			await once(server, 'close')
		}
	}
}
