import {protocol} from 'electron'

import {loadPageFiles, type PageFile, type PageFiles} from '#core/base/page-files.ts'
import {cacheControl, commonHeaders, contentSecurityPolicy, noncePlaceholder} from '#core/base/page-policy.ts'
import {systemRandom} from '#core/base/system.ts'
import {isOwnPage, pageOrigin, scheme} from './decisions.ts'

/** Must run before the application is ready. */
export function registerScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{scheme, privileges: {standard: true, secure: true, supportFetchAPI: true, codeCache: true}},
	])
}

const restMs = 5000

export interface ServedPage {
	/** Resolves when all that the document names was answered. */
	readonly answered: Promise<void>
	/** Reads what the document names, and loads what answers: for the time in which the window's process comes up. */
	prepare(): void
}

/** Answers `cordon://app/…` from the built page. */
export function servePage(folder: string): ServedPage {
	let loaded: PageFiles | undefined
	const missing = new Set<string>()
	const load = (): PageFiles => {
		const files = loadPageFiles(folder)
		for (const path of files.named) missing.add(path)
		// The first screen is a part of them, and the window waits for it.
		setTimeout(files.readAll, restMs).unref()
		return files
	}
	const {promise, resolve} = Promise.withResolvers<void>()
	protocol.handle(scheme, request => {
		const answer = answerPage(request, (loaded ??= load()), systemRandom)
		missing.delete(new URL(request.url).pathname)
		// The body goes out in later turns of the loop.
		if (missing.size === 0) setImmediate(() => setImmediate(resolve))
		return answer
	})
	return {
		answered: promise,
		prepare: () => {
			loaded ??= load()
			for (const path of loaded.named) loaded.find(path)
			// The first one loads the whole of undici.
			answerPage(new Request(`${pageOrigin}/`), loaded, systemRandom)
		},
	}
}

/** Answers a request of the own scheme from the built page, with the same policy as the headless host. */
export function answerPage(
	request: {readonly url: string; readonly method: string},
	files: PageFiles,
	random: (bytes: number) => Uint8Array,
): Response {
	if (!isOwnPage(request.url)) return refuse(403)
	if (request.method !== 'GET') return refuse(405)
	const file = files.find(new URL(request.url).pathname)
	if (file === undefined) return refuse(404)
	return file.path === '/index.html' ? answerIndex(files, random) : answerFile(file)
}

function answerIndex(files: PageFiles, random: (bytes: number) => Uint8Array): Response {
	const nonce = Buffer.from(random(18)).toString('base64')
	const policy = contentSecurityPolicy({nonce, connect: []})
	const headers = {
		...commonHeaders,
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': policy,
		'Cache-Control': 'no-store',
	}
	return new Response(files.index.replaceAll(noncePlaceholder, nonce), {headers})
}

function answerFile(file: PageFile): Response {
	const headers = {...commonHeaders, 'Content-Type': file.type, 'Cache-Control': cacheControl(file.path)}
	return new Response(new Uint8Array(file.body), {headers})
}

function refuse(status: number): Response {
	return new Response(null, {status, headers: {...commonHeaders}})
}
