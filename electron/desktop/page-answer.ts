import { cacheControl, commonHeaders, contentSecurityPolicy, noncePlaceholder } from '#core/base/page-policy.ts';
import type { PageFile, PageFiles } from '#core/base/page-files.ts';

import { isOwnPage } from './decisions.ts';

/** Answers a request of the own scheme from the built page, with the same policy as the headless host. */
export function answerPage(
	request: { readonly url: string; readonly method: string },
	files: PageFiles,
	random: (bytes: number) => Uint8Array,
): Response {
	if (!isOwnPage(request.url)) return refuse(403);
	if (request.method !== 'GET') return refuse(405);
	const file = files.find(new URL(request.url).pathname);
	if (file === undefined) return refuse(404);
	return file.path === '/index.html' ? answerIndex(files, random) : answerFile(file);
}

function answerIndex(files: PageFiles, random: (bytes: number) => Uint8Array): Response {
	const nonce = Buffer.from(random(18)).toString('base64');
	const policy = contentSecurityPolicy({ nonce, connect: [] });
	const headers = {
		...commonHeaders,
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': policy,
		'Cache-Control': 'no-store',
	};
	return new Response(files.index.replaceAll(noncePlaceholder, nonce), { headers });
}

function answerFile(file: PageFile): Response {
	const headers = { ...commonHeaders, 'Content-Type': file.type, 'Cache-Control': cacheControl(file.path) };
	return new Response(new Uint8Array(file.body), { headers });
}

function refuse(status: number): Response {
	return new Response(null, { status, headers: { ...commonHeaders } });
}
