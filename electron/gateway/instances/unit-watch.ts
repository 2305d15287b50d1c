/** Looking at an instance, again and again. */
import type { Instance } from '#shared/model/instance.ts';

import { lookAt, type HealthTarget } from './health-check.ts';
import { isOpenToNetwork } from './listening.ts';
import type { Parts } from './unit-parts.ts';

/** Between two looks: while it starts, and where only the port is looked at. */
const lookMs = { starting: 250, port: 10_000 };

/** Looks at it until the signal is aborted. */
export async function watch(parts: Parts, signal: AbortSignal): Promise<void> {
	const { health, clock } = parts;
	while (!signal.aborted) {
		await look(parts, signal);
		if (signal.aborted) return;
		const { intervalS } = parts.instance.healthCheck;
		const steady = intervalS === 0 ? lookMs.port : intervalS * 1000;
		const pause = health.get().state === 'starting' ? Math.min(lookMs.starting, steady) : steady;
		await clock.sleep(pause, signal).catch(() => undefined);
	}
}

export async function look(parts: Parts, signal: AbortSignal | undefined): Promise<void> {
	const { listenPort } = parts.instance;
	const [reason, isOpen] = await Promise.all([lookAt(targetOf(parts.instance), signal), isOpenToNetwork(listenPort)]);
	if (signal?.aborted === true) return;
	parts.isOpen = isOpen;
	parts.health.looked(reason, remarkOf(parts));
}

/** It serves its last list: that is healthy, but somebody has to decide. */
function remarkOf({ builtin }: Parts): string | null {
	const held = builtin?.listStatus()?.heldBack ?? null;
	if (held === null) return null;
	return `A list of ${held.entries} values is held back, as it would lose ${held.lost}: publish it if that is right.`;
}

function targetOf({ host, listenPort, healthCheck, certificate }: Instance): HealthTarget {
	return { host, port: listenPort, check: healthCheck, encrypted: certificate !== '' };
}
