/** The isolation watches of this process: one for each open local copy. */
import type { Connection } from '#shared/model/connection.ts';

import type { Connections } from '#core/service/connections/types.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import { currentClient } from '#core/replicas/kit/replica.ts';
import type { Bus } from '#core/base/bus.ts';
import type { Inventories } from '#core/replicas/computers/replica.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import { isolateCommand, releaseCommand } from './receipt.ts';
import { startWatch, type Watch } from './watch.ts';
import type { Clock } from '#core/base/ports.ts';
import type { RaisedNotice } from '#core/service/settings/notices.ts';

export interface IsolationWatches {
	stop(): Promise<void>;
}

export interface WatchesOptions {
	readonly clock: Clock;
	readonly bus: Bus;
	readonly inventories: Inventories;
	readonly raise: (notice: RaisedNotice) => void;
	readonly connections: Connections;
	readonly log: IncidentLog;
	readonly onTrouble: (message: string, error: unknown) => void;
	/** Only the process that owns the console follows. */
	readonly enabled: boolean;
}

export function watchIsolations(options: WatchesOptions): IsolationWatches {
	const { clock, bus, inventories, connections, raise, log, onTrouble } = options;
	const watches = new Map<string, Watch>();
	if (!options.enabled) return { stop: () => Promise.resolve() };
	inventories.attach((connection, inventory) => {
		const client = currentClient(connections, connection.id);
		const onTooLong = (guid: string): void => raise(tooLongNotice(connection, inventory, guid));
		const watch = startWatch({ connection, client, inventory, log, clock, onTooLong, onTrouble });
		watches.set(connection.id, watch);
		return async () => {
			if (watches.get(connection.id) === watch) watches.delete(connection.id);
			await watch.stop();
		};
	});
	const off = bus.on('command.ended', ({ connection, command, guid }) => {
		if (command === isolateCommand || command === releaseCommand) watches.get(connection)?.follow(guid);
	});
	return {
		async stop() {
			off();
			await Promise.all([...watches.values()].map((watch) => watch.stop()));
		},
	};
}

function tooLongNotice(connection: Connection, inventory: Inventory, guid: string): RaisedNotice {
	const row = inventory.row(guid);
	const name = row?.hostname ?? guid;
	const what = row?.isolation === 'pending_stop' ? 'release' : 'isolation';
	return {
		kind: 'pending_too_long',
		title: `The ${what} of ${name} is overdue`,
		body: `The service accepted the ${what} on ${connection.name} over 10 minutes ago. The agent has not confirmed it.`,
		open: `/computers/${guid}`,
		connection: connection.id,
	};
}
