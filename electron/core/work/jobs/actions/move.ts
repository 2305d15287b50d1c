import { isSameGuid } from '#shared/model/formats.ts';
import type { JobAction } from '#shared/model/job.ts';

import { computersCost, readComputers, resolveComputer } from './computers.ts';
import type { Action, ReadHow, ReadServices, Seen, Sight } from './types.ts';

type MoveAction = Extract<JobAction, { readonly kind: 'move' }>;

const patienceMs = 120_000;
const moveCommand = 'svc_move_computer';

export function moveAction(services: ReadServices, { group }: MoveAction): Action {
	const { inventory } = services;
	return {
		resolve: (typed) => resolveComputer(inventory, typed),
		read: (ids, how) => readGroups(services, ids, how),
		// The old group does not lead to a computer that was moved.
		cost: (ids) => computersCost(services, ids, true),
		leaveOut: ({ observed }) =>
			observed['group'] === group ? { kind: 'nothing_to_do', message: 'It is in this group already.' } : null,
		warnings: ({ row }) => [
			...(row?.duplicate === true ? ['Another computer has the same host name: compare the GUID.'] : []),
			...(row?.isolation === 'isolated' ? ['It is isolated: the new policy may not allow isolation.'] : []),
		],
		command: ({ id }) => ({ name: moveCommand, args: { connector_guid: id, group_guid: group } }),
		progress: (observed) => (observed['group'] === group ? 'reached' : 'not_yet'),
		opposes: ({ command, args }) => command === moveCommand && !isSameGuid(args?.['group_guid'], group),
		words: ({ group: found }) => groupName(inventory, String(found ?? '')),
		// The answer names the new group, but an answer is no observation.
		answered: () => null,
		settledBy: () => null,
		patienceMs,
		agents: false,
	};
}

async function readGroups(services: ReadServices, ids: readonly string[], how: ReadHow): Promise<Sight> {
	const read = await readComputers(services, ids, { ...how, whole: true });
	const seen = new Map<string, Seen | null>();
	for (const [id, found] of read) {
		const observed = { group: found?.computer.group_guid?.toLowerCase() ?? null };
		const row = services.inventory.row(id) ?? null;
		seen.set(id, found && { label: found.computer.hostname ?? id, observed, at: found.at, row });
	}
	return seen;
}

function groupName(inventory: ReadServices['inventory'], guid: string): string {
	return inventory.groups().find((group) => group.guid === guid)?.name ?? guid;
}
