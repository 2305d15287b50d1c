import type { DirectoryLearn } from '#core/replicas/directory/types.ts';
import type { Inventory } from '#core/replicas/computers/types.ts';
import type { Learn } from './types.ts';

type OnTrouble = (message: string, error: unknown) => void;

/** Tells the local copies what an answer taught; a local copy in trouble never fails the command that taught it. */
export function learnInto(
	inventory: Inventory | undefined,
	directory: (() => DirectoryLearn) | undefined,
	onTrouble: OnTrouble,
): Learn {
	const guarded = (write: () => void): void => {
		try {
			write();
		} catch (error) {
			onTrouble('Local data could not store an answer.', error);
		}
	};
	const tell = (write: (copy: Inventory) => void): void =>
		guarded(() => {
			if (inventory !== undefined) write(inventory);
		});
	// Opened only by an answer that has something to say to it.
	const teach = (write: (copy: DirectoryLearn) => void): void =>
		guarded(() => {
			if (directory !== undefined) write(directory());
		});
	return {
		observe: (records, at) => tell((copy) => copy.observe(records, at)),
		observeIsolation: (guid, isolation, at) => tell((copy) => copy.observeIsolation(guid, isolation, at)),
		vanished: (guid, at) => tell((copy) => copy.vanished(guid, at)),
		observeGroups: (groups, at) => {
			tell((copy) => copy.observeGroups(groups, at));
			teach((copy) => copy.observeGroups(groups, at));
		},
		observePolicies: (policies, at) => teach((copy) => copy.observePolicies(policies, at)),
		observeFileLists: (lists, at) => teach((copy) => copy.observeFileLists(lists, at)),
		observeFileListItem: (list, sha256, item, how) =>
			teach((copy) => copy.observeFileListItem(list, sha256, item, how)),
	};
}
