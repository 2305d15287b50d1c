/** What a request asks for, by how its sender speaks, and how it is answered. Pure. */
import type { SignedAccess } from './verify.ts';

export type Ask =
	| { readonly kind: 'help' }
	| { readonly kind: 'note'; readonly text: string }
	| { readonly kind: 'who'; readonly hash: string }
	| { readonly kind: 'isolate'; readonly computer: string }
	| { readonly kind: 'playbook'; readonly playbook: string; readonly variables: Readonly<Record<string, string>> }
	/** Only the sender's own check, answered as it asks. */
	| { readonly kind: 'echo'; readonly text: string };

export interface Request {
	readonly ask: Ask;
	/** Who asks, as the sender names them. */
	readonly from: string;
	/** Where a late answer may go. */
	readonly later: string | null;
}

const longest = 4000;

/** Throws for what is not as the sender documents it. */
export function requestOf(preset: SignedAccess['preset'], type: string, body: string): Request {
	if (preset === 'slack') return slackRequest(type, body);
	const data = recordOf(JSON.parse(body));
	if (preset === 'teams') {
		const from = textIn(recordOf(data['from']), 'name') || 'Microsoft Teams';
		// The bot is named first, in a tag.
		const said = textIn(data, 'text')
			.replaceAll(/<at>.*?<\/at>/gs, ' ')
			.replaceAll(/<[^>]+>|&nbsp;/g, ' ');
		return { ask: askOf(said), from, later: null };
	}
	return { ask: plainAsk(data), from: textIn(data, 'from') || 'webhook', later: null };
}

/** A slash command is a form; the check of an address is JSON. */
function slackRequest(type: string, body: string): Request {
	if (type.startsWith('application/json')) {
		const data = recordOf(JSON.parse(body));
		return { ask: { kind: 'echo', text: textIn(data, 'challenge') }, from: 'Slack', later: null };
	}
	const form = new URLSearchParams(body);
	if (form.get('ssl_check') === '1') return { ask: { kind: 'echo', text: '' }, from: 'Slack', later: null };
	const from = form.get('user_name') ?? form.get('user_id') ?? 'Slack';
	return { ask: askOf(form.get('text') ?? ''), from, later: form.get('response_url') };
}

/** What people type: `who HASH`, `isolate COMPUTER`, `note WORDS`, `playbook NAME [variable=value …]`. */
export function askOf(typed: string): Ask {
	const text = typed.trim().replaceAll(/\s+/g, ' ').slice(0, longest);
	const hash = /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b/i.exec(text)?.[0];
	const [, verb = '', rest = ''] = /^(\S+)(?: (.*))?$/.exec(text) ?? [];
	const word = verb.toLowerCase();
	if (word === 'note' && rest !== '') return { kind: 'note', text: rest };
	if (word === 'isolate' && rest !== '') return { kind: 'isolate', computer: rest };
	if (word === 'playbook' && rest !== '') return playbookAsk(rest);
	if (hash !== undefined && (word === 'who' || text === hash)) return { kind: 'who', hash: hash.toLowerCase() };
	return { kind: 'help' };
}

function playbookAsk(rest: string): Ask {
	// A name has blanks, and ends where the first variable begins.
	const words = rest.split(' ');
	const first = words.findIndex((word) => word.includes('='));
	const playbook = (first < 0 ? words : words.slice(0, first)).join(' ').replace(/^["“](.*)["”]$/, '$1');
	const pairs = words.flatMap((word) => {
		const [, name, value] = /^([^=]+)=(.*)$/.exec(word) ?? [];
		return name === undefined || value === undefined ? [] : [[name, value] as const];
	});
	return { kind: 'playbook', playbook, variables: Object.fromEntries(pairs) };
}

/** `{"text": …}`, `{"hash": …}`, `{"isolate": …}` or `{"playbook": …, "variables": {…}}`. Anything else is noted whole. */
function plainAsk(data: Readonly<Record<string, unknown>>): Ask {
	const [text, hash, computer, playbook] = ['text', 'hash', 'isolate', 'playbook'].map((name) => textIn(data, name));
	if (playbook) {
		const given = Object.entries(recordOf(data['variables'] ?? {}));
		return {
			kind: 'playbook',
			playbook,
			variables: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
		};
	}
	if (computer) return { kind: 'isolate', computer };
	if (hash) return askOf(`who ${hash}`);
	return { kind: 'note', text: text || JSON.stringify(data).slice(0, longest) };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
	throw new Error('The body is no JSON object.');
}

function textIn(data: Readonly<Record<string, unknown>>, name: string): string {
	const value = data[name];
	return typeof value === 'string' ? value.slice(0, longest) : '';
}

export function answerBody(preset: SignedAccess['preset'], ask: Ask, text: string): Readonly<Record<string, string>> {
	if (ask.kind === 'echo') return ask.text === '' ? {} : { challenge: ask.text };
	if (preset === 'slack') return { response_type: 'ephemeral', text };
	return preset === 'teams' ? { type: 'message', text } : { text };
}

export const helpText =
	'Write: who HASH · isolate COMPUTER (someone in Cordon approves first) · note WORDS · playbook NAME variable=value.';
