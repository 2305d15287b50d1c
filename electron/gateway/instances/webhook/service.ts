/** Webhook in: a built-in instance that answers signed requests. It changes nothing itself: what changes is proposed. */
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';

import { reportError } from '#shared/contract/errors.ts';
import type { Access, WebhookService } from '#shared/model/instance.ts';

import type { Desk } from '#core/app/gateway.ts';
import type { Clock } from '#core/base/ports.ts';
import { listenOn } from '../http-service.ts';
import { answerBody, helpText, requestOf, type Ask, type Request } from './asks.ts';
import { openNonces, refusalOf, type Nonces, type SignedAccess } from './verify.ts';

export interface WebhookServiceOptions {
	readonly definition: WebhookService;
	readonly access: Access;
	/** Asked for with each request: it may be another one by now. */
	readonly signingKey: () => Promise<string | undefined>;
	readonly instance: { readonly id: string; readonly name: string };
	readonly folder: string;
	readonly host: string;
	readonly port: number;
	readonly clock: Clock;
	readonly desk: Desk;
	readonly onTrouble: (message: string, error?: unknown) => void;
	/** Posts a late answer; replaced in tests. */
	readonly post?: ((url: URL, body: string) => void) | undefined;
}

const mostBody = 262_144;
/** Slack shows an error after 3 s, Teams after 5. */
const answerWithinMs = 2500;
/** The only places where a late answer goes. */
const answerHosts: ReadonlySet<string> = new Set(['https://hooks.slack.com']);

export interface RunningWebhook {
	readonly port: number;
	reload(definition: WebhookService): void;
	stop(): Promise<void>;
}

export async function startWebhookService(options: WebhookServiceOptions): Promise<RunningWebhook> {
	const { access, folder, host, port } = options;
	if (access.kind !== 'hmac') throw new Error('It needs access by signature (hmac).');
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const nonces = openNonces(join(folder, 'nonces.db'));
	let { definition } = options;
	const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 });
	server.on('request', (request, response) => {
		answer({ ...options, definition, access, nonces }, request, response).catch((error: unknown) => {
			options.onTrouble('A webhook could not be answered.', error);
			say(response, 500, { text: 'It could not be answered.' });
		});
	});
	try {
		const running = await listenOn(server, { host, port }, 'The webhook');
		return {
			port: running.port,
			reload: (next) => (definition = next),
			stop: async () => {
				await running.stop();
				nonces.close();
			},
		};
	} catch (error) {
		nonces.close();
		throw error;
	}
}

interface Answering extends WebhookServiceOptions {
	readonly access: SignedAccess;
	readonly nonces: Nonces;
}

async function answer(answering: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { access, clock, nonces } = answering;
	if (request.method !== 'POST') return say(response, 405, { text: 'Only POST is answered.' });
	const body = await bodyOf(request);
	if (body === null) return say(response, 413, { text: 'The body is too large.' });
	const key = await answering.signingKey();
	if (key === undefined) return say(response, 503, { text: 'The signing key is not in the secret store.' });
	const refusal = refusalOf({ access, key, fields: request.rawHeaders, body, nonces, now: clock.now() });
	if (refusal !== null) return say(response, 401, { text: refusal });
	let asked: Request;
	try {
		asked = requestOf(access.preset, request.headers['content-type'] ?? '', body.toString('utf8'));
	} catch (error) {
		return say(response, 400, { text: error instanceof Error ? error.message : 'The body cannot be read.' });
	}
	await reply(answering, asked, response);
}

/** In time, or later at the sender's own host alone. */
async function reply(answering: Answering, { ask, from, later }: Request, response: ServerResponse): Promise<void> {
	const { access, clock, instance } = answering;
	const work = outcome(answering, ask, `${from} by ${instance.name}`);
	const late = new AbortController();
	const patience = clock.sleep(answerWithinMs, late.signal).then(
		() => null,
		() => null,
	);
	const text = await Promise.race([work, patience]);
	late.abort();
	if (text !== null) return say(response, 200, answerBody(access.preset, ask, text));
	say(response, 200, answerBody(access.preset, ask, 'This takes longer. The answer follows where it can.'));
	const found = await work;
	const url = later === null || !URL.canParse(later) ? null : new URL(later);
	if (url !== null && access.preset === 'slack' && answerHosts.has(url.origin))
		(answering.post ?? postLate)(url, JSON.stringify(answerBody(access.preset, ask, found)));
}

/** Never rejects: what went wrong is the answer. */
async function outcome({ definition, desk, instance }: Answering, ask: Ask, from: string): Promise<string> {
	const { connection, notes, questions, proposals, playbooks } = definition;
	const caller = { connection, from, instance: instance.name };
	const off = (what: string): string => `This webhook does not take ${what}.`;
	try {
		switch (ask.kind) {
			case 'note':
				return notes ? await desk.note(caller, ask.text) : off('notes');
			case 'who':
				return questions ? await desk.whoHas(caller, ask.hash) : off('questions');
			case 'isolate':
				return proposals ? await desk.proposeIsolation(caller, ask.computer) : off('proposals');
			case 'playbook':
				return playbooks.includes(ask.playbook)
					? await desk.startPlaybook(caller, ask.playbook, ask.variables)
					: off(`the playbook ${ask.playbook}`);
			case 'help':
				return helpText;
			case 'echo':
				return ask.text;
		}
	} catch (error) {
		return reportError(error).message;
	}
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
	const pieces: Buffer[] = [];
	let size = 0;
	for await (const piece of request) {
		const bytes = Buffer.from(piece as Uint8Array); // without an encoding, pieces are bytes
		size += bytes.length;
		if (size > mostBody) return null;
		pieces.push(bytes);
	}
	return Buffer.concat(pieces);
}

function say(response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void {
	if (response.headersSent) return;
	const text = JSON.stringify(body);
	response
		.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
		.end(text);
}

/** Whether it arrives is the sender's affair: the work is done and logged. */
function postLate(url: URL, body: string): void {
	const sent = httpsRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' }, timeout: 10_000 });
	sent.on('error', () => undefined);
	sent.on('timeout', () => sent.destroy());
	sent.on('response', (response) => response.resume());
	sent.end(body);
}
