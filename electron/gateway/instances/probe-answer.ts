/** What the route answers to a probe, and whether the instance or the forwarding server said it. */
import { request, type IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

export interface Answer {
	readonly status: number;
	/** Whether the forwarding server answered, not the instance. */
	readonly own: boolean;
	readonly detail: string;
}

/** Resolves with why there is none. `patienceMs`: of real time. */
export function get(
	socket: TLSSocket,
	target: { readonly path: string; readonly host: string },
	patienceMs: number,
	signal?: AbortSignal,
): Promise<Answer | string> {
	return new Promise((resolve) => {
		const asked = request({
			createConnection: () => socket,
			path: target.path,
			headers: { Host: target.host, 'User-Agent': 'Cordon-probe', Accept: '*/*', Connection: 'close' },
			signal: AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal === undefined ? [] : [signal])]),
		});
		asked.on('response', (response) => resolve(answerOf(response)));
		asked.on('error', (error) =>
			resolve(error.name === 'AbortError' ? `nothing within ${patienceMs / 1000} s` : error.message),
		);
		asked.end();
	});
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
	const status = response.statusCode ?? 0;
	const own = isOwn(response);
	const text = own ? await firstBytes(response) : '';
	return { status, own, detail: detailOf(text) };
}

/** Our own answers are problem documents that nobody may keep (route description, 1.6). */
function isOwn({ headers }: IncomingMessage): boolean {
	const isProblem = headers['content-type']?.startsWith('application/problem+json') === true;
	return isProblem && headers['cache-control'] === 'no-store' && headers['x-content-type-options'] === 'nosniff';
}

async function firstBytes(response: IncomingMessage): Promise<string> {
	let text = '';
	try {
		for await (const chunk of response) {
			text += String(chunk);
			if (text.length > 4096) break;
		}
	} catch {
		// What came is enough.
	}
	return text;
}

function detailOf(text: string): string {
	try {
		const problem: unknown = JSON.parse(text);
		if (typeof problem === 'object' && problem !== null && 'detail' in problem) return String(problem.detail);
	} catch {
		// Not the whole document.
	}
	return 'no reason is given.';
}
