/** One instance: looked at, and, where Cordon runs it, started again and again until it is stopped. */
import type { InstanceDetail } from '#shared/contract/instances.ts';
import type { Instance, InstanceHealth } from '#shared/model/instance.ts';

import type { RunningBuiltin } from './builtins.ts';
import { createHealth } from './health.ts';
import { createOutput } from './output.ts';
import { reasons, type Parts, type UnitOptions } from './unit-parts.ts';
import { attempt, isSame } from './unit-run.ts';
import { look, watch } from './unit-watch.ts';

export interface Unit {
	health(): InstanceHealth;
	readonly output: InstanceDetail['output'];
	/** Another text when it was looked at, printed something, or its list changed. */
	readonly news: string;
	readonly builtin: RunningBuiltin | undefined;
	/** Whether it listens on more than loopback; `undefined` where that cannot be told. */
	readonly isOpen: boolean | undefined;
	/** Whether it has its port, as far as Cordon is concerned. */
	readonly listening: boolean;
	readonly pid: number | undefined;
	/** What can change while it runs: name, health check, what a built-in one serves. */
	update(instance: Instance): void;
	checkNow(signal?: AbortSignal): Promise<void>;
	stop(): Promise<void>;
	/** At once, for the end of this process. */
	kill(): void;
}

/** First pause before another start, and the longest. */
const pauseMs = { first: 1000, last: 60_000 };
/** So long healthy, and the next end counts as the first. */
const steadyMs = 60_000;
/** A program that Cordon starts may take so long to listen. */
const graceMs = 30_000;

/** `after`: the end of what it replaces. */
export function startUnit(instance: Instance, options: UnitOptions, after: Promise<void>): Unit {
	const { clock, onHealth } = options;
	const ended = new AbortController();
	const health = createHealth(clock, instance.program.kind === 'external' ? 0 : graceMs, (now) =>
		onHealth(instance.id, now),
	);
	const output = createOutput(clock.now, (line) => options.onOutput?.(instance.id, line));
	const parts: Parts = {
		...options,
		instance,
		health,
		output,
		stopping: ended.signal,
		program: undefined,
		builtin: undefined,
		isOpen: undefined,
	};
	if (instance.enabled) health.set('starting', instance.program.kind === 'external' ? reasons.unseen : reasons.begins);
	else health.set('disabled', reasons.disabled);
	const done = after
		.then(() => run(parts))
		.catch((error: unknown) => {
			parts.program?.kill();
			health.set('stopped', 'Something went wrong inside Cordon.');
			options.onTrouble(`The instance ${parts.instance.name} cannot be looked after.`, error);
		});
	return {
		health: health.get,
		get output() {
			return output.lines();
		},
		get news() {
			return JSON.stringify([health.get().checkedAt, output.count(), parts.builtin?.listStatus()]);
		},
		get builtin() {
			return parts.builtin;
		},
		get isOpen() {
			return parts.isOpen;
		},
		get listening() {
			return parts.program !== undefined || parts.builtin !== undefined;
		},
		get pid() {
			return parts.program?.identity?.pid;
		},
		update: (next) => update(parts, next),
		checkNow: async (signal) => {
			if (parts.instance.enabled) await look(parts, signal);
		},
		stop: () => {
			ended.abort();
			return done;
		},
		kill: () => parts.program?.kill(),
	};
}

function update(parts: Parts, next: Instance): void {
	const before = parts.instance.program;
	parts.instance = next;
	if (next.program.kind === 'builtin' && !isSame(before, next.program)) parts.builtin?.reload(next.program.builtin);
}

async function run(parts: Parts): Promise<void> {
	const { instance, stopping } = parts;
	if (!instance.enabled) return;
	if (instance.program.kind === 'external') return watch(parts, stopping);
	let pause = pauseMs.first;
	while (!stopping.aborted) {
		const { why, healthyMs } = await attempt(parts);
		if (stopping.aborted) break;
		if (healthyMs >= steadyMs) pause = pauseMs.first;
		parts.health.set('stopped', `${why} It is started again in ${pause / 1000} s.`);
		parts.output.add('stderr', `[${why} It is started again in ${pause / 1000} s.]`);
		await parts.clock.sleep(pause, stopping).catch(() => undefined);
		pause = Math.min(pause * 2, pauseMs.last);
	}
	parts.health.set('stopped', reasons.ended);
}
