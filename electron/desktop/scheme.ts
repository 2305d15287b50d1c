import {protocol} from 'electron'

import {loadPageFiles, type PageFile, type PageFiles} from '#base/page-files.ts'
import {cacheControl, commonHeaders, contentSecurityPolicy, noncePlaceholder} from '#base/page-policy.ts'
import {systemRandom} from '#base/system.ts'
import {isOwnPage, scheme} from './decisions.ts'

/** Must run before the application is ready. */
export function registerScheme() {
	protocol.registerSchemesAsPrivileged([{scheme, privileges: {standard: true, secure: true, supportFetchAPI: true, codeCache: true}}])
}

const restMs = 5000
/** Chromium's `ERR_FAILED`. */
const failed = -2

/**
 * Answers `cordon://app/…` from the built page. `protocol.handle` would do the same by requests and responses of undici, which
 * take 30 ms to load, and by streams, whose every chunk waits for this thread.
 */
export function servePage(folder: string) {
	let loaded: PageFiles | undefined
	const load = () => {
		const files = loadPageFiles(folder)
		// The first screen is a part of them, and the window waits for it.
		setTimeout(files.readAll, restMs).unref()
		return files
	}
	protocol.registerBufferProtocol(scheme, (request, answer) => {
		try {
			answer(answerPage(request, (loaded ??= load()), systemRandom))
		} catch {
			// A file that cannot be read fails the load, which the window shows, and not the program.
			answer({error: failed})
		}
	})
}

export interface Answer {
	readonly statusCode: number
	readonly headers: Record<string, string>
	readonly data: Buffer
}

/** Answers a request of the own scheme from the built page, with the same policy as the headless host. */
export function answerPage(request: {url: string; method: string}, files: PageFiles, random: (bytes: number) => Uint8Array): Answer {
	if (!isOwnPage(request.url)) return refuse(403)
	if (request.method !== 'GET') return refuse(405)
	const file = files.find(new URL(request.url).pathname)
	if (file === undefined) return refuse(404)
	return file.path === '/index.html' ? answerIndex(files, random) : answerFile(file)
}

function answerIndex(files: PageFiles, random: (bytes: number) => Uint8Array): Answer {
	const nonce = Buffer.from(random(18)).toString('base64')
	const policy = contentSecurityPolicy({nonce, connect: []})
	const headers = {...commonHeaders, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy, 'Cache-Control': 'no-store'}
	return {statusCode: 200, headers, data: Buffer.from(files.index.replaceAll(noncePlaceholder, nonce))}
}

function answerFile({type, path, body}: PageFile): Answer {
	return {statusCode: 200, headers: {...commonHeaders, 'Content-Type': type, 'Cache-Control': cacheControl(path)}, data: body}
}

function refuse(statusCode: number): Answer {
	return {statusCode, headers: {...commonHeaders}, data: Buffer.alloc(0)}
}
