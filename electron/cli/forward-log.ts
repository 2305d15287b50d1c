/** The log of `cordon forward`: lines on stderr, written together, so that many requests cost few writes. */
import { showUnseenInJson } from '#shared/text/foreign.ts';

import type { RequestRecord } from '#gateway/forwarder/record-types.ts';

export interface ForwardLog {
	readonly request: (record: RequestRecord) => void;
	note(level: 'info' | 'warning' | 'error', message: string, facts?: Readonly<Record<string, unknown>>): void;
	/** For requests from now on. */
	setRequests(which: 'all' | 'failures' | 'none'): void;
	/** Writes what is left. */
	flush(): void;
}

export interface LogOptions {
	readonly json: boolean;
	/** Takes a whole text at once; `false`: it has more than enough to write already. */
	readonly write: (text: string) => boolean;
	readonly now: () => number;
}

const everyMs = 100;
const mostBytes = 65_536;

export function createForwardLog({ json, write, now }: LogOptions): ForwardLog {
	let waiting = '';
	let timer: NodeJS.Timeout | undefined;
	let which: 'all' | 'failures' | 'none' = 'all';
	let isBehind = false;
	let lost = 0;
	const flush = (): void => {
		clearTimeout(timer);
		timer = undefined;
		if (waiting === '') return;
		const text = waiting;
		waiting = '';
		isBehind = !write(text);
	};
	const add = (line: string): void => {
		waiting += `${line}\n`;
		if (waiting.length > mostBytes) flush();
		else timer ??= setTimeout(flush, everyMs);
	};
	const note: ForwardLog['note'] = (level, message, facts = {}) => {
		const at = new Date(now()).toISOString();
		add(
			json ? showUnseenInJson(JSON.stringify({ at, level, message, ...facts })) : `${at} ${level.padEnd(7)} ${message}`,
		);
	};
	return {
		note,
		request: (record) => {
			if (which === 'none' || (which === 'failures' && !isFailure(record))) return;
			// A reader that does not keep up must not slow the requests, nor fill the memory.
			if (isBehind && lost++ >= 0) return;
			if (lost > 0) note('warning', `${lost} requests are missing here: the log was not read fast enough.`);
			lost = 0;
			add(json ? jsonLine(record) : textLine(record));
		},
		setRequests: (value) => (which = value),
		flush,
	};
}

function isFailure({ reason, status, endedBy }: RequestRecord): boolean {
	return reason !== null || status >= 500 || endedBy !== 'done';
}

function jsonLine({ at, phases, ...record }: RequestRecord): string {
	const { tls, access, queue, connect, firstByte, body } = phases;
	const ms = {
		tls: tenths(tls),
		access: tenths(access),
		queue: tenths(queue),
		connect: tenths(connect),
		firstByte: tenths(firstByte),
		body: tenths(body),
	};
	return showUnseenInJson(JSON.stringify({ at: new Date(at).toISOString(), level: 'request', ...record, phases: ms }));
}

function tenths(ms: number | null): number | null {
	return ms === null ? null : Math.round(ms * 10) / 10;
}

function textLine(record: RequestRecord): string {
	const { at, instance, method, path, status, client, sent, phases, reason, endedBy, id } = record;
	const took = Object.values(phases).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
	const why = reason === null ? '' : ` ${reason}`;
	const end = endedBy === 'done' ? '' : ` ended by ${endedBy}`;
	return `${new Date(at).toISOString()} request ${status} ${method} ${printable(path)} ${printable(instance ?? '-')} ${client} ${sent} bytes ${took.toFixed(1)} ms${why}${end} ${id}`;
}

/** Names and paths may hold what a terminal would obey. */
function printable(text: string): string {
	// oxlint-disable-next-line no-control-regex -- these are the characters to be taken out
	return text.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u2028-\u202e\u2066-\u2069]/g, (char) => encodeURIComponent(char));
}
