import {protocol} from 'electron'

import {loadPageFiles, type PageFile, type PageFiles} from '#core/base/page-files.ts'
import {cacheControl, commonHeaders, contentSecurityPolicy, noncePlaceholder} from '#core/base/page-policy.ts'
import {systemRandom} from '#core/base/system.ts'
import {isOwnPage, scheme} from './decisions.ts'

/** Must run before the application is ready. */
export function registerScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{scheme, privileges: {standard: true, secure: true, supportFetchAPI: true, codeCache: true}},
	])
}

const restMs = 5000

/** How far the page has come, for whoever keeps the thread that answers it. */
export interface PageProgress {
	/** The document was answered: until its scripts are asked for, a process starts. */
	readonly document: Promise<void>
	/** A script was answered: from now on the page is busy by itself. */
	readonly script: Promise<void>
}

/** Answers `cordon://app/…` from the built page. */
export function servePage(folder: string): PageProgress {
	const files = loadPageFiles(folder)
	// The first screen is a part of them, and the window waits for it.
	setTimeout(files.readAll, restMs).unref()
	const [document, script] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
	protocol.handle(scheme, request => {
		const answer = answerPage(request, files, systemRandom)
		// The body goes out in later turns of the loop.
		setImmediate(() => setImmediate(request.url.endsWith('.js') ? script.resolve : document.resolve))
		return answer
	})
	return {document: document.promise, script: script.promise}
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
