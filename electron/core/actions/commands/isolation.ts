import type { CommandArgs } from '#shared/commands/catalogue.ts';
import { CordonError } from '#shared/contract/errors.ts';
import type { Isolation } from '#shared/model/isolation.ts';
import { byWords, plainState, requestedBy, stateSentence, stateWords } from '#shared/text/isolation.ts';

import { deleteIsolation, getIsolation, putIsolation } from '#core/service/api/endpoints/isolation.ts';
import type { Answered, CallOptions } from '#core/service/api/types.ts';
import { aboutComputer } from './about-computer.ts';
import { sendOnce, type Recovery } from './lost-answer.ts';
import { answerFacts, isCordon, recordOutcome, reworded } from './outcome.ts';
import type { HandlerContext, HandlerOutcome, FamilyHandlers } from './types.ts';
import { compareState, waitForState } from './wait-for-state.ts';

type Answer = Answered<Isolation>;

const refusalReadMs = 30_000;
const justNowMs = 10_000;

export const isolationHandlers: FamilyHandlers<'isolation'> = {
	async svc_get_computers_isolation(args, context) {
		const guid = args.connector_guid;
		const { wait } = context.options;
		return await aboutComputer(context, guid, async () => {
			if (args.status !== undefined && wait !== undefined) return await waitForState(context, guid, args.status, wait);
			const answer = await read(context, guid, context.call);
			if (args.status !== undefined) return compareState(context.label(guid), answer, args.status);
			return recordOutcome(answer, stateSentence(context.label(guid), answer.data));
		});
	},

	async svc_put_computers_isolation(args, context) {
		const guid = args.connector_guid;
		return await aboutComputer(context, guid, () =>
			sendOnce(context, () => isolate(args, context), startRecovery(guid, context)),
		);
	},

	async svc_delete_computers_isolation(args, context) {
		const guid = args.connector_guid;
		return await aboutComputer(context, guid, () =>
			sendOnce(context, () => release(args, context), stopRecovery(guid, context)),
		);
	},
};

async function isolate(
	args: CommandArgs<'svc_put_computers_isolation'>,
	context: HandlerContext,
): Promise<HandlerOutcome> {
	const guid = args.connector_guid;
	const label = context.label(guid);
	try {
		const answer = await putIsolation(context.client, args, context.call);
		context.learn.observeIsolation(guid, answer.data, answer.at);
		return recordOutcome(answer, startedMessage(label, answer.data));
	} catch (error) {
		if (isCordon(error, 'isolation_not_allowed')) throw notAllowed(error, label);
		if (isCordon(error, 'conflict')) throw await translated(error, guid, context);
		throw error;
	}
}

function startedMessage(label: string, { status }: Isolation): string {
	if (status === 'isolated') return `${label} is isolated.`;
	// The answer may still tell the state of before.
	if (status === 'pending_start' || status === 'not_isolated')
		return `The service accepted the isolation of ${label}. Waiting for its agent.`;
	return `The service accepted the isolation of ${label}, but still reports ${plainState(status)}. Check its state again.`;
}

/** A 409 is a state, not a fault: it is read and put into words. */
async function translated(refusal: CordonError, guid: string, context: HandlerContext): Promise<CordonError> {
	const label = context.label(guid);
	const answer = await readAfterRefusal(refusal, guid, context);
	const { status, available } = answer.data;
	if (!available && status === 'not_isolated') return notAllowed(refusal, label);
	return reworded(refusal, conflictMessage(label, answer.data, sinceWords(context, guid)), { state: status });
}

/** When the local copy first saw this state; what it saw just now tells nothing. */
function sinceWords({ stateSince, clock }: HandlerContext, guid: string): string {
	const since = stateSince(guid);
	if (since === undefined || clock.now() - Date.parse(since) < justNowMs) return '';
	return ` since ${since.slice(0, 16).replace('T', ' ')} UTC at the latest`;
}

function conflictMessage(label: string, isolation: Isolation, since: string): string {
	const { status, isolated_by: by } = isolation;
	switch (status) {
		case 'isolated':
			return `${label} is already isolated${byWords(by)}${since}. No change needed.`;
		case 'pending_start':
			return `${label} is already being isolated${requestedBy(by)}. Wait for its agent.`;
		case 'pending_stop':
			return `${label} is still being released. Wait for its agent, then isolate the computer again.`;
		default:
			return `The service refused to isolate ${label}, which ${stateWords(isolation)} now.`;
	}
}

function notAllowed(error: CordonError, label: string): CordonError {
	const details = { ...error.details, state: 'not_isolated' };
	return new CordonError(
		'isolation_not_allowed',
		`Isolation of ${label} is not allowed by its policy, or not supported by its system.`,
		details,
		{
			cause: error,
		},
	);
}

/** The 409 stays the answer when the state cannot be read. */
async function readAfterRefusal(refusal: CordonError, guid: string, context: HandlerContext): Promise<Answer> {
	const { signal, purpose, onProgress } = context.call;
	try {
		return await read(context, guid, { signal, purpose, onProgress, deadlineMs: refusalReadMs });
	} catch {
		throw refusal;
	}
}

/** A refusal because the computer is released, or about to be, says that no change is needed; any other stays a refusal. */
async function release(
	args: CommandArgs<'svc_delete_computers_isolation'>,
	context: HandlerContext,
): Promise<HandlerOutcome> {
	const guid = args.connector_guid;
	const comment = args.comment ?? args.unlock_code;
	try {
		const answer = await deleteIsolation(context.client, { connector_guid: guid, comment }, context.call);
		context.learn.observeIsolation(guid, answer.data, answer.at);
		return recordOutcome(answer, releasedMessage(context.label(guid), answer.data));
	} catch (error) {
		if (!isCordon(error, 'conflict')) throw error;
		const answer = await readAfterRefusal(error, guid, context);
		const message = refusedMessage(context.label(guid), answer.data);
		if (!isOneOf(answer, 'not_isolated', 'pending_stop')) throw reworded(error, message, { state: answer.data.status });
		return { ...recordOutcome(answer, message), ...refusalFacts(error) };
	}
}

function releasedMessage(label: string, { status }: Isolation): string {
	if (status === 'not_isolated') return `${label} is no longer isolated.`;
	if (status === 'pending_stop' || status === 'isolated')
		return `The service accepted the release of ${label}. Waiting for its agent.`;
	return `The service accepted the release of ${label}, but still reports ${plainState(status)}. Check its state again.`;
}

function refusedMessage(label: string, isolation: Isolation): string {
	switch (isolation.status) {
		case 'not_isolated':
			return `${label} is not isolated. No change needed.`;
		case 'pending_stop':
			return `${label} is already being released. Waiting for its agent.`;
		default:
			return `The service refused the release: ${label} ${stateWords(isolation)}.`;
	}
}

function refusalFacts({ details }: CordonError): Pick<HandlerOutcome, 'status' | 'requestId'> {
	return answerFacts({ status: details.status ?? 409, requestId: details.requestId });
}

function startRecovery(guid: string, context: HandlerContext): Recovery<Answer> {
	const label = context.label(guid);
	return {
		read: (options) => read(context, guid, options),
		words: (answer) => answer.data.status,
		effect: (answer) =>
			isOneOf(answer, 'pending_start', 'isolated')
				? recordOutcome(answer, startedMessage(label, answer.data))
				: undefined,
	};
}

function stopRecovery(guid: string, context: HandlerContext): Recovery<Answer> {
	const label = context.label(guid);
	return {
		read: (options) => read(context, guid, options),
		words: (answer) => answer.data.status,
		effect: (answer) =>
			isOneOf(answer, 'pending_stop', 'not_isolated')
				? recordOutcome(answer, releasedMessage(label, answer.data))
				: undefined,
	};
}

function isOneOf(answer: Answer, ...states: readonly string[]): boolean {
	return states.includes(answer.data.status);
}

async function read(context: HandlerContext, guid: string, options: CallOptions): Promise<Answer> {
	const answer = await getIsolation(context.client, { connector_guid: guid }, options);
	context.learn.observeIsolation(guid, answer.data, answer.at);
	return answer;
}
