/** What a message of the service's queue holds. Pure: no queue, no file. */
import { eventSchema, type ServiceEvent } from '#shared/model/event.ts';
import { parseExact, stringifyExact } from '#shared/model/exact-json.ts';

/** An event, or why the message is none. */
export type Decoded =
	| { readonly record: ServiceEvent; /** When it happened, Unix ms. */ readonly at: number | null }
	| { readonly reason: string };

/** A message is one event as bare JSON; one of the service has a few kilobytes. */
const mostBytes = 1_048_576;

export function decodeEvent(content: Uint8Array): Decoded {
	if (content.byteLength > mostBytes) return { reason: `It has ${content.byteLength} bytes, more than an event can.` };
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
		const parsed = eventSchema.safeParse(parseExact(text));
		if (!parsed.success) return { reason: `It is not an event: ${firstIssue(parsed.error.issues)}.` };
		const { id, timestamp, date } = parsed.data;
		if (id === undefined && timestamp === undefined && date === undefined)
			return { reason: 'It is not an event: it has neither an ID nor a time.' };
		refuseDepth(text, parsed.data);
		const at = timestamp === undefined ? Date.parse(date ?? '') : timestamp * 1000;
		return { record: parsed.data, at: Number.isFinite(at) ? at : null };
	} catch (error) {
		return { reason: `It is not readable: ${error instanceof Error ? error.message : String(error)}.` };
	}
}

/** What is nested so deep that it cannot be written can be read all the same. Throws `RangeError`. */
function refuseDepth(text: string, record: ServiceEvent): void {
	const brackets = text.matchAll(/[[{]/g);
	for (let count = 0; count < 1000; count += 1) if (brackets.next().done === true) return;
	stringifyExact(record);
}

function firstIssue(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
	const [issue] = issues;
	return issue === undefined ? 'unknown' : [issue.path.map(String).join('.'), issue.message].filter(Boolean).join(': ');
}

/** The service's own consumers wait 3 s ± 2 (API reference, section 11); each further attempt waits twice as long. */
const firstWaitMs = 3000;
const longestWaitMs = 60_000;

/** `chance`: from 0 up to 1. So many consoles do not come back at the same moment. */
export function waitBefore(attempt: number, chance: number): number {
	const wait = Math.min(firstWaitMs * 2 ** Math.min(attempt, 10), longestWaitMs);
	return Math.round((wait * (1 + 4 * chance)) / 3);
}
