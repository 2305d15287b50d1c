import { CordonError } from '#shared/contract/errors.ts';
import type { ParameterRow } from '#shared/contract/instances.ts';
import type { Instance } from '#shared/model/instance.ts';
import { parameterMeaning, readParameters } from '#shared/model/server-parameter.ts';

import { createListeners } from '../connections/listeners.ts';
import { entry } from './changes.ts';
import { change, remove, restart, save, setExposed, setParameter, storedBy } from './edit.ts';
import type { StoreOptions, StoreParts } from './parts.ts';
import { countChange, listInstances, listParameters, revisionOf } from './rows.ts';
import type { InstanceStore } from './types.ts';

/** Opens nothing by itself: the database is read with the first question, and whoever made it closes it. */
export function openInstanceStore(options: StoreOptions): InstanceStore {
  const { database, clock } = options;
  const listeners = createListeners(clock, () => String(revisionOf(database)));
  const parts: StoreParts = { ...options, changed: listeners.changed };
  const list = (): readonly Instance[] => listInstances(database).map(({ instance }) => instance);
  const find = (idOrName: string): Instance => findAmong(list(), idOrName);
  const names = (): readonly string[] => list().map(({ name }) => name);
  const parameterRows = (): readonly ParameterRow[] => {
    const known = names();
    return Object.entries(listParameters(database)).map(([key, value]) => ({
      key,
      value,
      meaning: parameterMeaning(key, known),
    }));
  };
  return {
    list,
    find,
    save: (input) => save(parts, input.id === undefined ? input : { ...input, id: find(input.id).id }),
    remove: async (id) => remove(parts, find(id).id),
    setEnabled: (id, enabled) => change(parts, find(id).id, { enabled }),
    setExposed: (id, exposed, confirm) => setExposed(parts, find(id).id, exposed, confirm),
    setOpenPort: (id, open, confirm) => change(parts, openable(find(id)).id, { openPort: open }, confirm),
    restart: (id) => restart(parts, find(id).id),
    parameters: () => listParameters(database),
    settings: () => readParameters(listParameters(database), names()),
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
    revision: () => revisionOf(database),
    verifiers: (id) => storedBy(listInstances(database), id).verifiers,
    restarts: (id) => storedBy(listInstances(database), id).restarts,
    onChange: (listener) => listeners.add(listener),
    stop: () => listeners.stop(),
  };
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
