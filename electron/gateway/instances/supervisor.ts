import type { InstanceDetail, ListStatus } from '#shared/contract/instances.ts';
import type { Instance, InstanceHealth } from '#shared/model/instance.ts';

import { holderOf } from './listening.ts';
import type { UnitOptions } from './unit-parts.ts';
import { startUnit, type Unit } from './unit.ts';

/** Keeps every instance in the state that is asked for. */
export interface Supervisor {
	/** All instances there are to be; `restarts` grows when one is to be started anew. */
	apply(wanted: readonly { readonly instance: Instance; readonly restarts: number }[]): void;
	health(id: string): InstanceHealth | undefined;
	output(id: string): InstanceDetail['output'];
	/** Another text when one of them was looked at, printed something, or has another list. */
	news(): string;
	listStatus(id: string): ListStatus | null;
	publish(id: string): Promise<ListStatus | null>;
	checkNow(id: string, signal?: AbortSignal): Promise<void>;
	/** Whether it listens on more than loopback; `undefined` where that cannot be told. */
	isOpen(id: string): boolean | undefined;
	/** Whether its port was to be opened when it was started. */
	openPort(id: string): boolean | undefined;
	/** Whether an instance that Cordon runs has the port. */
	listensOn(port: number): boolean;
	/** Ends them all. A second call waits for the first. */
	stop(): Promise<void>;
}

export interface SupervisorOptions extends Omit<UnitOptions, 'holder'> {
	/** Port of the forwarding server in this process. */
	readonly ownPort: () => number | undefined;
}

interface Kept {
	readonly unit: Unit;
	readonly instance: Instance;
	/** What it was started with. */
	readonly start: string;
}

export function createSupervisor(options: SupervisorOptions): Supervisor {
	const kept = new Map<string, Kept>();
	/** Ends that are under way. */
	const leaving = new Map<string, Promise<void>>();
	/** The unit of each instance that tells of it: what was replaced ends after its successor began. */
	const telling = new Map<string, symbol>();
	let stopped: Promise<void> | undefined;
	const holder = async (port: number): Promise<string | null> => {
		const found = await holderOf(port);
		if (found === null) return null;
		const own = [...kept.values()].find(({ unit, instance }) => instance.listenPort === port && unit.pid === found.pid);
		if (own !== undefined && found.pid !== null) return `the instance ${own.instance.name}`;
		if (found.pid === process.pid) return options.ownPort() === port ? 'the forwarding server' : 'Cordon itself';
		return found.text;
	};
	const end = (id: string): void => {
		const { unit } = kept.get(id) ?? {};
		kept.delete(id);
		if (unit === undefined) return;
		const ending = unit.stop().finally(() => leaving.get(id) === ending && leaving.delete(id));
		leaving.set(id, ending);
	};
	const killAll = (): void => {
		for (const { unit } of kept.values()) unit.kill();
	};
	// A console that ends without being stopped leaves none behind; one that is killed leaves a record for the next.
	process.once('exit', killAll);
	const forget = async (gone: readonly string[], ids: ReadonlySet<string>): Promise<void> => {
		await Promise.all(gone.map((id) => leaving.get(id)));
		if (stopped === undefined) await options.builtins.keepOnly(ids).catch(() => undefined);
	};
	const put = (instance: Instance, restarts: number): void => {
		const start = startOf(instance, restarts);
		const old = kept.get(instance.id);
		if (old?.start === start) {
			old.unit.update(instance);
			kept.set(instance.id, { ...old, instance });
			return;
		}
		end(instance.id);
		const after = leaving.get(instance.id) ?? Promise.resolve();
		const own = Symbol(instance.name);
		telling.set(instance.id, own);
		const onHealth: UnitOptions['onHealth'] = (id, health) => {
			if (telling.get(id) === own) options.onHealth(id, health);
		};
		const unit = startUnit(instance, { ...options, holder, onHealth }, after);
		kept.set(instance.id, { unit, instance, start });
	};
	return {
		apply(wanted) {
			if (stopped !== undefined) return;
			const ids = new Set(wanted.map(({ instance }) => instance.id));
			const gone = [...kept.keys()].filter((id) => !ids.has(id));
			gone.forEach(end);
			for (const id of gone) telling.delete(id);
			if (gone.length > 0) void forget(gone, ids);
			for (const { instance, restarts } of wanted) put(instance, restarts);
		},
		health: (id) => kept.get(id)?.unit.health(),
		news: () => [...kept].map(([id, { unit }]) => `${id} ${unit.news}`).join('\n'),
		output: (id) => kept.get(id)?.unit.output ?? [],
		listStatus: (id) => kept.get(id)?.unit.builtin?.listStatus() ?? null,
		publish: async (id) => {
			const { unit } = kept.get(id) ?? {};
			const status = (await unit?.builtin?.publish()) ?? null;
			// Its health said that something was held back.
			if (status !== null) await unit?.checkNow();
			return status;
		},
		checkNow: async (id, signal) => kept.get(id)?.unit.checkNow(signal),
		isOpen: (id) => kept.get(id)?.unit.isOpen,
		openPort: (id) => kept.get(id)?.instance.openPort,
		listensOn: (port) =>
			[...kept.values()].some(({ unit, instance }) => instance.listenPort === port && unit.listening),
		stop: () =>
			(stopped ??= (async () => {
				for (const id of kept.keys()) end(id);
				await Promise.all(leaving.values());
				process.off('exit', killAll);
			})()),
	};
}

/** A change of anything else takes effect while it runs. */
function startOf({ program, host, listenPort, openPort, enabled }: Instance, restarts: number): string {
	const kind = program.kind === 'builtin' ? { kind: 'builtin', service: program.builtin.service } : program;
	return JSON.stringify([kind, host, listenPort, openPort, enabled, program.kind === 'external' ? 0 : restarts]);
}
