import { CordonError } from '#shared/contract/errors.ts';
import type { ParameterRow } from '#shared/contract/instances.ts';
import type { Instance } from '#shared/model/instance.ts';
import { parameterMeaning, readParameters } from '#shared/model/server-parameter.ts';

import { createListeners } from '#core/service/connections/listeners.ts';
import type { Database } from '#core/store/database.ts';
import { entry } from './changes.ts';
import { change, remove, restart, save, setExposed, setParameter } from './edit.ts';
import type { StoreOptions, StoreParts } from './parts.ts';
import { withoutValues } from './environment.ts';
import { countChange, listInstances, listParameters, revisionOf } from './rows.ts';
import type { InstanceStore, Snapshot } from './types.ts';

/** Opens nothing by itself: the database is read with the first question, and whoever made it closes it. */
export function openInstanceStore(options: StoreOptions): InstanceStore {
	const { database, clock } = options;
	const listeners = createListeners(clock, () => String(revisionOf(database)));
	const parts: StoreParts = { ...options, changed: listeners.changed };
	let known: Snapshot | undefined;
	const snapshot = (): Snapshot => {
		if (known?.revision !== revisionOf(database)) known = database.transaction(() => takeSnapshot(database));
		return known;
	};
	const find = (idOrName: string): Instance => findAmong(snapshot().instances, idOrName);
	const parameterRows = (): readonly ParameterRow[] => {
		const { instances, parameters: rows } = snapshot();
		const names = instances.map(({ name }) => name);
		return Object.entries(rows).map(([key, value]) => ({ key, value, meaning: parameterMeaning(key, names) }));
	};
	return {
		list: () => snapshot().instances,
		find,
		save: async (input) =>
			withoutValues(await save(parts, input.id === undefined ? input : { ...input, id: find(input.id).id })),
		remove: async (id) => remove(parts, find(id).id),
		setEnabled: (id, enabled) => withoutValues(change(parts, find(id).id, { enabled })),
		setExposed: (id, exposed, confirm) => withoutValues(setExposed(parts, find(id).id, exposed, confirm)),
		setOpenPort: (id, open, confirm) =>
			withoutValues(change(parts, openable(find(id)).id, { openPort: open }, confirm)),
		restart: (id) => withoutValues(restart(parts, find(id).id)),
		parameters: () => snapshot().parameters,
		settings: snapshot,
		parameterRows,
		setParameter: (key, value, confirm) => {
			setParameter(parts, key, value, confirm);
			return parameterRows();
		},
		note: (message, data) =>
			database.transaction(
				() => {
					countChange(database);
					options.log(entry(options.surface, message, data));
				},
				{ durable: true },
			),
		snapshot,
		onChange: (listener) => listeners.add(listener),
		stop: () => listeners.stop(),
	};
}

/** Of one moment: another process may write between two questions. */
function takeSnapshot(database: Database): Snapshot {
	const stored = listInstances(database);
	const instances = stored.map(({ instance }) => withoutValues(instance));
	const parameters = listParameters(database);
	const read = readParameters(
		parameters,
		instances.map(({ name }) => name),
	);
	return { revision: revisionOf(database), stored, instances, parameters, ...read };
}

function openable(instance: Instance): Instance {
	if (instance.program.kind !== 'external') return instance;
	throw new CordonError(
		'usage',
		`Someone else runs the instance ${instance.name}: where it listens is not for Cordon to say.`,
	);
}

function findAmong(list: readonly Instance[], idOrName: string): Instance {
	const name = idOrName.normalize('NFC');
	const found =
		list.find((one) => one.id === idOrName) ??
		list.find((one) => one.name === name) ??
		list.find(({ aliases }) => aliases.includes(name));
	if (found !== undefined) return found;
	const known = list.length === 0 ? 'There is none yet.' : `Instances: ${list.map((one) => one.name).join(', ')}.`;
	throw new CordonError('unknown_instance', `There is no instance ${idOrName}.`, { field: 'id', fix: known });
}
