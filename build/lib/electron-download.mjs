import {createWriteStream} from 'node:fs'
import {pipeline} from 'node:stream/promises'

import {downloadArtifact} from '@electron/get'

/** For the first byte; after that the download may take as long as bytes arrive. */
const firstByteMs = 10_000
const stallMs = 30_000

/**
 * Downloads Electron's archive into the cache of `@electron/get`, checks its SHA-256 and returns its path. Errors are
 * sentences; nothing of a broken download remains. Mirror and cache are set as for `@electron/get`.
 */
export async function downloadElectron(details, {signal, onProgress, after = later}) {
	const downloader = {download: (url, file) => transfer(url, file, {signal, onProgress, after})}
	try {
		return await downloadArtifact({...details, artifactName: 'electron', downloader})
	} catch (error) {
		throw signal.aborted || !/checksum/i.test(`${error.constructor.name} ${error.message}`) ? error : wrongChecksum(error)
	}
}

/** Runs it after `ms`, unless the returned function is called first. */
function later(ms, run) {
	const timer = setTimeout(run, ms)
	return () => clearTimeout(timer)
}

async function transfer(url, file, {signal, onProgress, after}) {
	const {host} = new URL(url)
	const watch = createWatch(signal, after)
	watch.expect(firstByteMs, `${host} sent nothing for ${inSeconds(firstByteMs)}.`)
	try {
		const answer = await fetch(url, {signal: watch.signal})
		if (!answer.ok) throw new Error(`${host} answered with HTTP ${answer.status} for ${new URL(url).pathname}.`)
		const total = Number(answer.headers.get('content-length') ?? 0)
		let received = 0
		const counted = async function* (source) {
			for await (const chunk of source) {
				watch.expect(stallMs, `The download stopped: ${host} sent nothing for ${inSeconds(stallMs)}.`)
				received += chunk.length
				onProgress(received, total)
				yield chunk
			}
		}
		await pipeline(answer.body, counted, createWriteStream(file), {signal: watch.signal})
	} catch (error) {
		throw watch.reason() ?? (error instanceof TypeError ? lost(host, error) : error)
	} finally {
		watch.end()
	}
}

/** Ends the transfer on a signal, or when the expected data is late. */
function createWatch(outer, after) {
	const inner = new AbortController()
	let forget = () => {}
	const stop = () => inner.abort(new Error('The download was cancelled.'))
	if (outer.aborted) stop()
	outer.addEventListener('abort', stop, {once: true})
	return {
		signal: inner.signal,
		expect: (withinMs, otherwise) => {
			forget()
			forget = after(withinMs, () => inner.abort(new Error(otherwise)))
		},
		reason: () => (inner.signal.aborted ? inner.signal.reason : undefined),
		end: () => {
			forget()
			outer.removeEventListener('abort', stop)
		}
	}
}

function lost(host, error) {
	const code = error.cause?.code ?? error.cause?.message ?? error.message
	return new Error(`The connection to ${host} failed (${code}).`, {cause: error})
}

function wrongChecksum(error) {
	return new Error("The downloaded file is not Electron's: its SHA-256 is wrong. It was deleted.", {cause: error})
}

function inSeconds(ms) {
	return `${ms / 1000} s`
}

/** The progress on a terminal: one line that is overwritten. */
export function progressBar(received, total, width = 30) {
	const filled = total === 0 ? 0 : Math.round((received / total) * width)
	const bar = total === 0 ? '' : `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] `
	return `${bar}${inMegabytes(received)}${total === 0 ? '' : ` of ${inMegabytes(total)}`} MB`
}

function inMegabytes(bytes) {
	return (bytes / 1e6).toFixed(1)
}

const megabytesPerLine = 10

/** Reports progress: on one line of a terminal, else a line for every ten megabytes and at the end. */
export function createTeller({write, isTerminal}) {
	let told = 0
	return (received, total) => {
		const isDone = received === total
		if (isTerminal) return void write(`\r  ${progressBar(received, total)}${isDone ? '\n' : ''}`)
		if (!isDone && received < told + megabytesPerLine * 1e6) return
		told = received
		write(`  ${inMegabytes(received)}${total === 0 ? '' : ` of ${inMegabytes(total)}`} MB\n`)
	}
}
