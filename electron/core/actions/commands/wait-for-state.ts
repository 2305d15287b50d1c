import { CordonError, errorTable } from '#shared/contract/errors.ts';
import type { Isolation } from '#shared/model/isolation.ts';
import { counted } from '#shared/text/numbers.ts';
import { plainState, stateWords } from '#shared/text/isolation.ts';

import { getIsolation } from '#core/service/api/endpoints/isolation.ts';
import type { Answered } from '#core/service/api/types.ts';
import { recordOutcome } from './outcome.ts';
import type { HandlerContext, HandlerOutcome } from './types.ts';

const firstPauseMs = 2000;
const longestPauseMs = 10_000;
const oneReadMs = 60_000;

/** Whether the computer is in the wanted state, in `matches` and in a sentence. */
export function compareState(label: string, answer: Answered<Isolation>, wanted: string): HandlerOutcome {
	const matches = answer.data.status === wanted;
	const message = matches
		? `${label} ${stateWords(answer.data)}.`
		: `${label} ${stateWords(answer.data)}. Requested state: ${plainState(wanted)}.`;
	return { ...recordOutcome(answer, message), matches };
}

/**
 * Polls until the computer is in the wanted state. Rejects with `wait_timeout` after `seconds`, with the last state;
 * a service that fails meanwhile is asked again until then, and its failure is what is thrown when it never answered.
 */
export async function waitForState(
	context: HandlerContext,
	guid: string,
	wanted: string,
	seconds: number,
): Promise<HandlerOutcome> {
	const { clock } = context;
	const end = clock.monotonic() + seconds * 1000;
	const until = new Date(clock.now() + seconds * 1000).toISOString();
	let last: Answered<Isolation> | undefined;
	let trouble: CordonError | undefined;
	for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
		const reading = await readOnce(context, guid, end - clock.monotonic());
		if (reading instanceof CordonError) trouble = reading;
		else last = reading;
		if (last?.data.status === wanted && !(reading instanceof CordonError))
			return compareState(context.label(guid), last, wanted);
		const left = end - clock.monotonic();
		if (left <= 0) throw timedOut(context.label(guid), wanted, seconds, last, trouble);
		context.onProgress({ kind: 'polling', state: last?.data.status ?? 'unknown', until });
		await pauseFor(context, Math.min(pause, left));
	}
}

/** A failure that may pass is returned, so that the wait goes on; the others are thrown. */
async function readOnce(
	context: HandlerContext,
	guid: string,
	leftMs: number,
): Promise<Answered<Isolation> | CordonError> {
	const limits = { deadlineMs: Math.max(1000, Math.min(oneReadMs, leftMs)), maxBudgetWaitMs: Math.max(0, leftMs) };
	try {
		const answer = await getIsolation(context.client, { connector_guid: guid }, { ...context.call, ...limits });
		context.learn.observeIsolation(guid, answer.data, answer.at);
		return answer;
	} catch (error) {
		if (error instanceof CordonError && mayPass(error)) return error;
		throw error;
	}
}

function mayPass({ code }: CordonError): boolean {
	const { fault, retry } = errorTable[code];
	return (fault === 'network' || fault === 'service') && retry !== 'no' && code !== 'rate_limited';
}

async function pauseFor({ clock, call }: HandlerContext, ms: number): Promise<void> {
	try {
		await clock.sleep(ms, call.signal);
	} catch (error) {
		throw new CordonError('cancelled', 'Stopped waiting on request.', {}, { cause: error });
	}
}

function timedOut(
	label: string,
	wanted: string,
	seconds: number,
	last: Answered<Isolation> | undefined,
	trouble: CordonError | undefined,
): CordonError {
	if (last === undefined) return trouble ?? new CordonError('wait_timeout');
	const message = `After ${counted(seconds, ['second', 'seconds'])}, ${label} ${stateWords(last.data)}. Requested state: ${plainState(wanted)}.`;
	return new CordonError('wait_timeout', message, { state: last.data.status });
}
