/** What signed requests from outside get: notes, answers from local data, and changes that are proposed and never made. */
import { CordonError } from '#shared/contract/errors.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { unaskedSteps } from '#core/playbooks/graph.ts';
import { containEndpoint } from '#core/playbooks/library.ts';
import type { Playbooks } from '#core/playbooks/playbooks.ts';
import type { EventStores } from '#core/replicas/events/replica.ts';
import type { IncidentLog } from '#core/record/incidents/types.ts';
import type { Connections } from '#core/service/connections/types.ts';
import type { Notices } from '#core/service/settings/notices.ts';
import type { Desk, DeskCaller } from './gateway.ts';

export interface DeskParts {
	readonly connections: Pick<Connections, 'find'>;
	readonly log: Pick<IncidentLog, 'append'>;
	readonly eventStores: Pick<EventStores, 'open'>;
	readonly playbooks: Pick<Playbooks, 'mayStartAlone' | 'start' | 'find'>;
	readonly raise: Notices['raise'];
}

/** Names in an answer. */
const mostNames = 10;

export function openDesk({ connections, log, eventStores, playbooks, raise }: DeskParts): Desk {
	/** Each request is in the log before anything comes of it. */
	const note = async ({ connection, from, instance }: DeskCaller, message: string): Promise<void> => {
		const { id, name, url } = connections.find(connection);
		const data = { webhook: instance, from };
		await log.append({ kind: 'note', surface: 'automation', message, connection: { id, name, url }, data });
	};
	/** One whose every change is asked of a person first. */
	const start = async (caller: DeskCaller, playbook: string, variables: Readonly<Record<string, string>>) => {
		const { connection, from } = caller;
		const { name } = playbooks.mayStartAlone(playbook);
		const [unasked] = unaskedSteps(playbooks.find(playbook).document);
		if (unasked !== undefined)
			throw new CordonError('usage', `${name} changes something without asking anybody. Nothing was started.`, {
				fix: 'Put a manual step before each change.',
			});
		await note(caller, `${from} starts the playbook ${name}.`);
		return await playbooks.start({ playbook, connection, variables, startedBy: from, alone: true });
	};
	return {
		async note(caller, text) {
			await note(caller, `${caller.from}: ${text}`);
			return 'Noted in the incident log.';
		},
		async whoHas(caller, hash) {
			const { id } = connections.find(caller.connection);
			await note(caller, `${caller.from} asked which computers have ${hash}.`);
			return whoHas(eventStores.open(id), hash);
		},
		async proposeIsolation(caller, computer) {
			const reason = `Proposed by ${caller.from}`;
			const { id } = await start(caller, containEndpoint, { __computer__: computer, __reason__: reason });
			raise({ kind: 'automation', title: `Isolate ${computer}?`, body: `${reason}.`, open: `/playbooks/${id}` });
			return `Proposed: isolate ${computer}. Nothing is sent before someone answers in Cordon.`;
		},
		async startPlaybook(caller, playbook, variables) {
			const named = Object.entries(variables).map(([name, value]) => [name.replace(/^(?!__)(.*)$/, '__$1__'), value]);
			const run = await start(caller, playbook, Object.fromEntries(named));
			return `Started ${run.title}. It changes nothing before someone answers in Cordon.`;
		},
	};
}

function whoHas(store: ReturnType<EventStores['open']>, hash: string): string {
	const asked = {
		filter: `hash:${hash}`,
		from: null,
		to: null,
		grouping: 'computer',
		offset: 0,
		limit: mostNames,
	} as const;
	const { rows, matching } = store.query(asked);
	const { oldest } = store.state();
	const since = oldest === null ? '' : ` since ${oldest.slice(0, 10)}`;
	if (rows.length === 0) return `No stored event${since} names ${hash}.`;
	const names = rows.map(({ hostname, guid }) => hostname || (guid ?? 'unknown')).join(', ');
	const more = matching.count > rows.length ? ' and more' : '';
	const count = `${matching.exact ? '' : 'at least '}${counted(matching.count, nouns.computer)}`;
	return `Events${since} name it on ${count}: ${names}${more}.`;
}
