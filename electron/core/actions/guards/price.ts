/** What a change costs in calls, how long that takes, and what it leaves for others. */
import type { BudgetState } from '#shared/model/frame.ts';
import type { GuardedAction, Price } from '#shared/model/guard.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import type { Connections } from '#core/service/connections/types.ts';
import type { Clock } from '#core/base/ports.ts';

interface PriceParts {
	readonly clock: Clock;
	readonly connections: () => Pick<Connections, 'find' | 'client'>;
}

export interface PriceRequest {
	readonly connection: string;
	readonly action: GuardedAction;
	readonly targets: readonly unknown[];
	readonly reads?: number | undefined;
}

/** About so many readings tell when one agent has answered. */
export const readingsPerAgent = 8;

export function priceOf({ clock, connections }: PriceParts, request: PriceRequest): Price {
	const { action, targets } = request;
	const list = connections();
	const writes = targets.length;
	const isIsolation = action === 'isolate' || action === 'release';
	const reads = request.reads ?? (isIsolation ? readingsPerAgent * Math.min(writes, 5) : 0);
	const budget = list.client(list.find(request.connection).id).budget();
	return plannedPrice({ writes, reads, usesReserve: action === 'release', now: clock.now() }, budget);
}

export interface Plan {
	readonly writes: number;
	readonly reads: number;
	/** Releases may spend the reserve. */
	readonly usesReserve: boolean;
	/** Unix milliseconds. */
	readonly now: number;
}

/** A change takes about so long when nothing stands in its way. */
const secondsPerWrite = 0.5;
const windowSeconds = 3600;

/** Pure. `seconds` waits for as many windows as the calls need. */
export function plannedPrice({ writes, reads, usesReserve, now }: Plan, budget: BudgetState | null): Price {
	const calls = writes + reads;
	if (budget === null) {
		const seconds = Math.ceil(writes * secondsPerWrite);
		const sentence = `${counted(calls, nouns.call)}; the API limit is not known yet.`;
		return { writes, reads, calls, leaves: null, resetAt: null, seconds, sentence };
	}
	const open = openCalls(budget, usesReserve, now);
	const seconds = Math.ceil(writes * secondsPerWrite) + waitSeconds(budget, calls - open, usesReserve, now);
	const leaves = Math.max(0, open - calls);
	return {
		writes,
		reads,
		calls,
		leaves,
		resetAt: budget.resetAt,
		seconds,
		sentence: sentenceOf(calls, leaves, open, budget),
	};
}

function openCalls(budget: BudgetState, usesReserve: boolean, now: number): number {
	const isOver = now >= Date.parse(budget.resetAt);
	const remaining = isOver ? budget.limit : budget.remaining;
	const kept = usesReserve ? 0 : budget.reserve + budget.reserved;
	return Math.max(0, remaining - kept);
}

function waitSeconds(budget: BudgetState, missing: number, usesReserve: boolean, now: number): number {
	if (missing <= 0) return 0;
	const perWindow = Math.max(1, budget.limit - (usesReserve ? 0 : budget.reserve));
	const untilReset = Math.max(0, (Date.parse(budget.resetAt) - now) / 1000);
	return Math.ceil(untilReset + (Math.ceil(missing / perWindow) - 1) * windowSeconds);
}

function sentenceOf(calls: number, leaves: number, open: number, { reserve, reserved }: BudgetState): string {
	const price = `${counted(calls, nouns.call)} of ${formatCount(open)}`;
	const kept =
		reserved > 0
			? `, plus ${reserve} kept for releases and ${formatCount(reserved)} for jobs`
			: `, plus ${reserve} kept for releases`;
	if (calls <= open) return `${price}; ${formatCount(leaves)} left this hour${kept}.`;
	return `${price}: more than this hour has${kept}. The rest waits for the next window.`;
}
