/** One run of an instance that Cordon runs: from its start to its end. */
import type { Instance } from '#shared/model/instance.ts';

import { startProgram } from './program.ts';
import { reasons, type Parts } from './unit-parts.ts';
import { watch } from './unit-watch.ts';

export interface End {
	/** In a sentence. */
	readonly why: string;
	/** How long it had been healthy. */
	readonly healthyMs: number;
}

/** From its start to its end. */
export async function attempt(parts: Parts): Promise<End> {
	const { instance, health } = parts;
	const holder = await parts.holder(instance.listenPort);
	if (holder !== null) return { why: `Port ${instance.listenPort} is held by ${holder}.`, healthyMs: 0 };
	if (parts.stopping.aborted) return { why: '', healthyMs: 0 };
	health.set('starting', reasons.begins);
	return instance.program.kind === 'managed' ? runProgram(parts) : runBuiltin(parts);
}

async function runProgram(parts: Parts): Promise<End> {
	const { instance, stopping, health, output, patienceMs } = parts;
	if (instance.program.kind !== 'managed') return { why: '', healthyMs: 0 };
	const { command, folder } = instance.program;
	const program = startProgram({ command, folder, environment: environmentOf(parts), output, patienceMs });
	parts.program = program;
	parts.onProcess(instance.id, program.identity);
	const stop = (): void => void program.stop();
	stopping.addEventListener('abort', stop);
	if (stopping.aborted) stop();
	const over = new AbortController();
	const watching = watch(parts, AbortSignal.any([stopping, over.signal]));
	const why = await program.ended;
	const healthyMs = health.healthyMs();
	stopping.removeEventListener('abort', stop);
	over.abort();
	await watching;
	parts.program = undefined;
	parts.onProcess(instance.id, undefined);
	return { why, healthyMs };
}

async function runBuiltin(parts: Parts): Promise<End> {
	const { instance, stopping, builtins, onTrouble, health } = parts;
	if (instance.program.kind !== 'builtin') return { why: '', healthyMs: 0 };
	const { id, name, access, listenPort } = instance;
	const definition = instance.program.builtin;
	try {
		parts.builtin = await builtins.start({
			definition,
			id,
			name,
			access,
			host: bindAddress(instance),
			port: listenPort,
			onTrouble,
		});
	} catch (error) {
		return { why: error instanceof Error ? error.message : 'It could not be started.', healthyMs: 0 };
	}
	const { program } = parts.instance;
	// It may have been changed while it started.
	if (program.kind === 'builtin' && !isSame(program.builtin, definition)) parts.builtin.reload(program.builtin);
	await watch(parts, stopping);
	await parts.builtin.stop();
	parts.builtin = undefined;
	return { why: '', healthyMs: health.healthyMs() };
}

export function isSame(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

/** What it sets itself wins, but for the two that say where to listen. */
function environmentOf({ instance, environment }: Parts): Readonly<Record<string, string>> {
	const own = instance.program.kind === 'managed' ? instance.program.environment : {};
	return { ...environment, ...own, PORT: String(instance.listenPort), HOST: bindAddress(instance) };
}

/** The address to listen on. */
function bindAddress({ host, openPort }: Pick<Instance, 'host' | 'openPort'>): string {
	if (!openPort) return host;
	return host === '::1' ? '::' : '0.0.0.0';
}
