import type { Inventory } from '../inventory/types.ts';
import type { Learn } from './types.ts';

/** Tells the local copy what an answer taught; a local copy in trouble never fails the command that taught it. */
export function learnInto(
  inventory: Inventory | undefined,
  onTrouble: (message: string, error: unknown) => void,
): Learn {
  const tell = (write: (inventory: Inventory) => void): void => {
    try {
      if (inventory !== undefined) write(inventory);
    } catch (error) {
      onTrouble('The local copy did not take an answer.', error);
    }
  };
  return {
    observe: (records, at) => tell((copy) => copy.observe(records, at)),
    observeIsolation: (guid, isolation, at) => tell((copy) => copy.observeIsolation(guid, isolation, at)),
    observeGroups: (groups, at) => tell((copy) => copy.observeGroups(groups, at)),
    vanished: (guid, at) => tell((copy) => copy.vanished(guid, at)),
  };
}
