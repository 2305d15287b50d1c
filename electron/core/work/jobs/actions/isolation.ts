import { CordonError } from '#shared/contract/errors.ts';
import { pendingTooLongMs, type Isolation } from '#shared/model/isolation.ts';
import type { JobAction, ObservedState } from '#shared/model/job.ts';

import { getIsolationMethods } from '#core/service/api/endpoints/isolation.ts';
import { isolateCommand, releaseCommand } from '#core/actions/isolation/receipt.ts';
import { isolateWarnings, releaseWarnings } from '#core/actions/isolation/warnings.ts';
import { computersCost, readComputers, resolveComputer } from './computers.ts';
import type { Action, Progress, ReadHow, ReadServices, Seen, Sight } from './types.ts';

type IsolationAction = Extract<JobAction, { readonly kind: 'isolate' | 'release' }>;

/** So many that the listing calls unavailable are asked one by one; the rest is believed. */
const mostDoubtful = 20;

export function isolationAction(services: ReadServices, action: IsolationAction, comment: string): Action {
	const isolates = action.kind === 'isolate';
	return {
		resolve: (typed) => resolveComputer(services.inventory, typed),
		read: (ids, how) => readStates(services, ids, how, isolates),
		cost: (ids, whole) => computersCost(services, ids, whole),
		leaveOut: ({ observed }) => (isolates ? notIsolatable(observed) : notReleasable(observed)),
		warnings: ({ row }, now) => (row === null ? [] : isolates ? isolateWarnings(row, now) : releaseWarnings(row, now)),
		command: ({ id }) => ({
			name: isolates ? isolateCommand : releaseCommand,
			args: { connector_guid: id, comment },
		}),
		progress: (observed) => progressOf(observed, isolates),
		opposes: ({ command }) => command === (isolates ? releaseCommand : isolateCommand),
		words: ({ isolation }) => String(isolation),
		// Both answer with the state; a release that was refused is told as the state, too.
		answered: ({ data }) => stateIn(data as Partial<Isolation> | null),
		settledBy: (error) => settled(error, isolates),
		patienceMs: pendingTooLongMs,
		agents: isolates,
	};
}

async function readStates(
	services: ReadServices,
	ids: readonly string[],
	how: ReadHow,
	isolates: boolean,
): Promise<Sight> {
	const read = await readComputers(services, ids, how);
	const seen = new Map<string, Seen | null>();
	for (const [id, found] of read) {
		const state = found?.computer.isolation;
		const observed = { isolation: state?.status ?? 'unknown', available: state?.available ?? false };
		const label = found?.computer.hostname ?? id;
		seen.set(id, found && { label, observed, at: found.at, row: services.inventory.row(id) ?? null });
	}
	return how.whole && isolates ? await withoutDoubt(services, seen, how) : seen;
}

/** The service itself is asked where the listing says that it cannot be done. */
async function withoutDoubt(services: ReadServices, seen: Map<string, Seen | null>, how: ReadHow): Promise<Sight> {
	const doubtful = [...seen].filter(
		([, one]) => one?.observed['isolation'] === 'not_isolated' && one.observed['available'] !== true,
	);
	if (doubtful.length > mostDoubtful) return seen;
	for (const [id, one] of doubtful)
		if (one !== null && (await offersPut(services, id, how)))
			seen.set(id, { ...one, observed: { ...one.observed, available: true } });
	return seen;
}

async function offersPut({ client }: ReadServices, id: string, { signal }: ReadHow): Promise<boolean> {
	try {
		const { data } = await getIsolationMethods(client, { connector_guid: id }, { signal, purpose: 'job' });
		return data.includes('PUT');
	} catch (error) {
		if (error instanceof CordonError && error.code !== 'cancelled') return false;
		throw error;
	}
}

function notIsolatable({ isolation, available }: ObservedState): ReturnType<Action['leaveOut']> {
	if (isolation === 'isolated') return nothing('It is isolated already.');
	if (isolation === 'pending_start') return nothing('It is starting isolation already.');
	if (isolation === 'pending_stop') return not('Release in progress. Wait for confirmation.');
	if (isolation !== 'not_isolated') return not(`Its state is ${JSON.stringify(isolation)}, which is not known here.`);
	return available === true ? null : not('Isolation is not allowed by its policy, or not supported by its system.');
}

function notReleasable({ isolation }: ObservedState): ReturnType<Action['leaveOut']> {
	if (isolation === 'not_isolated') return nothing('It is not isolated.');
	if (isolation === 'pending_stop') return nothing('Release already in progress.');
	if (isolation === 'isolated' || isolation === 'pending_start') return null;
	return not(`Its state is ${JSON.stringify(isolation)}, which is not known here.`);
}

function nothing(message: string): ReturnType<Action['leaveOut']> {
	return { kind: 'nothing_to_do', message };
}

function not(message: string): ReturnType<Action['leaveOut']> {
	return { kind: 'not_possible', message };
}

function progressOf({ isolation }: ObservedState, isolates: boolean): Progress {
	const [wanted, pending] = isolates ? ['isolated', 'pending_start'] : ['not_isolated', 'pending_stop'];
	return isolation === wanted ? 'reached' : isolation === pending ? 'under_way' : 'not_yet';
}

function stateIn(data: Partial<Isolation> | null): ObservedState | null {
	if (typeof data?.status !== 'string') return null;
	return { isolation: data.status, available: data.available === true };
}

/** 409 is a state, not a fault. */
function settled(error: CordonError, isolates: boolean): string | null {
	const { state } = error.details;
	if (error.code !== 'conflict' || state === undefined) return null;
	return progressOf({ isolation: state }, isolates) === 'not_yet' ? null : state;
}
