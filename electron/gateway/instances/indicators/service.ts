/** Indicator export: a built-in instance that publishes lists as STIX indicators over TAXII 2.1. */
import {mkdir, mkdtemp, rm} from 'node:fs/promises'
import {createServer} from 'node:http'
import {join} from 'node:path'

import {messageOf} from '#contract/errors.ts'
import type {ListStatus} from '#contract/instances.ts'
import type {IndicatorService} from '#model/instance.ts'
import {isLoopback} from '../../forwarder/access/addresses.ts'
import {isLocal, listenOn, type ServiceOptions} from '../http-service.ts'
import {linesOfSource, localSources, sourceFailed, type FetchFileList, type LocalSource} from '../list/sources.ts'
import {valueOf} from '../list/values.ts'
import {openIndicatorShelf, type IndicatorShelf} from './shelf.ts'
import {indicatorKey, uuid5} from './stix.ts'
import {answerTaxii, type CollectionFacts} from './taxii.ts'

interface IndicatorServiceOptions extends ServiceOptions<IndicatorService> {
	fetchFileList: FetchFileList
}

export type RunningIndicators = Awaited<ReturnType<typeof startIndicatorService>>

/** Sooner retry after a failure. */
const retryMs = 60_000

export async function startIndicatorService(options: IndicatorServiceOptions) {
	await mkdir(options.folder, {recursive: true, mode: 0o700})
	const shelf = openIndicatorShelf(join(options.folder, 'indicators.db'))
	const service = new Indicators(options, shelf)
	try {
		const server = await service.listen()
		const done = service.run()
		return {
			port: server.port,
			listStatus: () => service.status(),
			publish: async () => {
				await service.renew()
				return service.status()
			},
			reload: (definition: IndicatorService) => service.reload(definition),
			stop: async () => {
				service.end()
				await Promise.all([done, server.stop()])
				shelf.close()
			}
		}
	} catch (error) {
		shelf.close()
		throw error
	}
}

class Indicators {
	readonly #options: IndicatorServiceOptions
	readonly #shelf: IndicatorShelf
	readonly #ended = new AbortController()
	#definition: IndicatorService
	#wake = new AbortController()
	#building: Promise<void> | undefined
	#status: Pick<ListStatus, 'builtAt' | 'problem' | 'dropped'> = {builtAt: null, problem: null, dropped: 0}

	constructor(options: IndicatorServiceOptions, shelf: IndicatorShelf) {
		this.#options = options
		this.#definition = options.definition
		this.#shelf = shelf
	}

	listen() {
		const {host, port, clock, onTrouble} = this.#options
		const server = createServer({keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 60_000})
		server.on('request', ({method = 'GET', url: target = '/', headers}, response) => {
			if (isLoopback(host) && !isLocal(headers)) return void response.writeHead(421).end()
			try {
				const {title, pageSize} = this.#definition
				const facts = {title, pageSize, collections: this.collections(), shelf: this.#shelf, now: () => clock.now()}
				const answer = answerTaxii(facts, {method, target, headers})
				const text = JSON.stringify(answer.body)
				response.writeHead(answer.status, {...answer.headers, 'content-length': Buffer.byteLength(text)})
				response.end(method === 'HEAD' ? undefined : text)
			} catch (error) {
				onTrouble('Indicators could not be sent.', error)
				response.writeHead(503, {'retry-after': '10'}).end()
			}
		})
		return listenOn(server, {host, port}, 'The indicator export')
	}

	collections(): readonly CollectionFacts[] {
		const {id} = this.#options.instance
		return this.#definition.collections.map(({name, description}) => ({id: uuid5(`${id}/${name}`), name, description}))
	}

	async run() {
		const {clock} = this.#options
		while (!this.#ended.signal.aborted) {
			const wake = this.#wake
			await this.refresh()
			const ms = this.#definition.refreshS * 1000
			const wait = this.#status.problem === null ? ms : Math.min(retryMs, ms)
			await clock.sleep(wait, AbortSignal.any([this.#ended.signal, wake.signal])).catch(() => {})
			if (wake.signal.aborted) this.#wake = new AbortController()
		}
	}

	/** A running build may have read its sources before they changed. */
	async renew() {
		await this.#building
		await this.refresh()
	}

	refresh() {
		return (this.#building ??= this.#build().finally(() => (this.#building = undefined)))
	}

	/** An incomplete source changes nothing: a partial list would revoke the rest. */
	async #build() {
		const {clock, instance, onTrouble} = this.#options
		try {
			let dropped = 0
			const definition = this.#definition
			for (const [place, {id}] of this.collections().entries()) {
				const read = await this.#read(definition.collections[place]?.sources ?? [])
				dropped += read.dropped
				await this.#shelf.set(id, read.keys, () => clock.now(), this.#ended.signal)
			}
			this.#status = {builtAt: new Date(clock.now()).toISOString(), problem: null, dropped}
		} catch (error) {
			if (this.#ended.signal.aborted) return
			const problem = messageOf(error)
			if (problem !== this.#status.problem) onTrouble(`The indicators of "${instance.name}" stay as they are. ${problem}`, error)
			this.#status = {...this.#status, problem}
		}
	}

	async #read(sources: IndicatorService['collections'][number]['sources']) {
		const {fetchFileList, folder} = this.#options
		const {signal} = this.#ended
		const keys = new Set<string>()
		let dropped = 0
		const work = await mkdtemp(join(folder, 'read-'))
		try {
			for (const source of await localSources(sources, fetchFileList, work, signal))
				for (const value of await valuesOf(source, signal)) {
					const key = indicatorKey(value)
					if (key === null) dropped += 1
					else keys.add(key)
				}
		} finally {
			await rm(work, {recursive: true, force: true})
		}
		return {keys, dropped}
	}

	reload(definition: IndicatorService) {
		this.#definition = definition
		this.#wake.abort()
	}

	status(): ListStatus {
		const entries = this.collections().reduce((sum, {id}) => sum + this.#shelf.current(id), 0)
		return {entries, ...this.#status, etag: null, heldBack: null}
	}

	end() {
		this.#ended.abort()
	}
}

async function valuesOf(source: LocalSource, signal: AbortSignal) {
	const values: string[] = []
	try {
		for await (const batch of linesOfSource(source, signal))
			for (const line of batch) {
				const value = valueOf(line)
				if (value !== null) values.push(value)
			}
		return values
	} catch (error) {
		throw sourceFailed(source.name, error)
	}
}
