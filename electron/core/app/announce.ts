/** Brings what the parts tell by themselves onto the bus. */
import type { Services } from './services.ts';

/** Returns the ways to stop listening. */
export function announceChanges(services: Services): readonly (() => void)[] {
	const { bus, profile, connections, runner, jobs } = services;
	const computersChanged = (connection: string, guid?: string): void => {
		if (connections.list().some(({ id }) => id === connection))
			bus.emit({ kind: 'replica.changed', replica: 'computers', connection, ...(guid !== undefined && { guid }) });
	};
	return [
		connections.onChange(() => bus.emit({ kind: 'connections.changed' })),
		profile.settings.onChange(() => bus.emit({ kind: 'settings.changed' })),
		profile.labels.onChange((connection) => computersChanged(connection)),
		profile.custody.leases.onChange(computersChanged),
		profile.log.onAppend((seq) => bus.emit({ kind: 'log.appended', seq })),
		runner.onRunning((connection) => bus.emit({ kind: 'commands.changed', connection })),
		profile.approvals.onChange(() => bus.emit({ kind: 'approvals.changed' })),
		jobs.onChange((connection, job) => bus.emit({ kind: 'job.changed', connection, job })),
	];
}

/** Parts that act on what others tell. */
export function listenToEachOther({ bus, registry, searches, findings, shelf }: Services): readonly (() => void)[] {
	return [
		bus.on('connections.changed', registry.trigger),
		bus.on('settings.changed', registry.trigger),
		bus.on('connection.forgotten', ({ connection }) => {
			for (const part of [searches, findings, shelf]) part.forget(connection);
		}),
	];
}
