/** The guards of a profile: rules from `profile.db`, facts from the log and the connections, the judgement from `judge.ts`. */
import { CordonError } from '#shared/contract/errors.ts';
import { defaultGuardRules, type GuardJudgement, type GuardRules } from '#shared/model/guard.ts';
import type { Surface } from '#shared/model/incident.ts';

import type { Connections } from '#core/service/connections/types.ts';
import type { IncidentLog, NewEntry } from '#core/record/incidents/types.ts';
import { refusedWriting } from '#core/base/read-only.ts';
import type { Managed } from '#core/service/managed/types.ts';
import { unmanaged } from '#core/service/managed/managed.ts';
import type { Clock } from '#core/base/ports.ts';
import type { Database } from '#core/store/database.ts';
import { checkAgreement, refuseWhole } from './agreement.ts';
import { judgeChange } from './judge.ts';
import { priceOf } from './price.ts';
import { isolationsSince } from './rolling.ts';
import { readRules, writeRules } from './rules.ts';
import { computerTargets, type GivenRoles } from './targets.ts';
import type { Guards, JudgeRequest } from './types.ts';

export interface GuardsOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly connections: () => Pick<Connections, 'find' | 'mode' | 'client'>;
	readonly log: () => Pick<IncidentLog, 'query'>;
	/** Within the transaction that stores the rules. */
	readonly note: (entry: NewEntry) => void;
	readonly roles: GivenRoles;
	/** Default: nothing is. */
	readonly managed?: Managed | undefined;
}

const hourMs = 3_600_000;

export function openGuards(options: GuardsOptions): Guards {
	const { database } = options;
	const judge = async (request: JudgeRequest): Promise<GuardJudgement> =>
		judgeNow(options, request, await isolationsLately(options, request));
	return {
		rules: (connection) => rulesOf(options, connection),
		setRules: ({ connection, rules, confirm, surface }) => {
			const found = options.connections().find(connection);
			if (confirm?.trim().toLowerCase() !== found.name.toLowerCase()) throw nameNeeded(found.name);
			const stored = storedRules(options, found.id);
			const own = managedOf(options).guards.admitted(stored, rules);
			writeRules(database, options.note, { connection: found, rules: own, surface });
			return rulesOf(options, found.id);
		},
		targetsOf: (connection, guids, copy) => computerTargets(connection, guids, copy, options.roles),
		judge,
		answer: async (request) => ({ judgement: await judge(request), price: priceOf(options, request) }),
		admit: async (request, agreement, surface) => {
			const judgement = await judge(request);
			if (agreement === 'approved') refuseWhole(judgement);
			else checkAgreement(judgement, agreement, needsReason(options, request, surface));
			return judgement;
		},
		// How many went out lately asks for a confirmation and refuses nothing; a job of a thousand need not count each time.
		admitPart: (request) => refuseWhole(judgeNow(options, { ...request, reviewed: true }, 0)),
	};
}

function managedOf({ managed = unmanaged }: GuardsOptions): Managed {
	return managed;
}

/** What holds: the operator's rules under the administrator's. */
function rulesOf(options: GuardsOptions, connection: string): GuardRules {
	return managedOf(options).guards.applied(readRules(options.database, connection));
}

/** Rules that cannot be read are replaced by saving new ones: then what was held meanwhile has its default. */
function storedRules({ database }: GuardsOptions, connection: string): GuardRules {
	try {
		return readRules(database, connection);
	} catch {
		return defaultGuardRules;
	}
}

async function isolationsLately(options: GuardsOptions, { connection, action }: JudgeRequest): Promise<number> {
	if (action !== 'isolate') return 0;
	const { id } = options.connections().find(connection);
	const from = options.clock.now() - rulesOf(options, id).rolling.hours * hourMs;
	return await isolationsSince(options.log(), id, from);
}

function judgeNow(options: GuardsOptions, request: JudgeRequest, isolations: number): GuardJudgement {
	const { connection, action, targets, reviewed = false } = request;
	const connections = options.connections();
	const found = connections.find(connection);
	const rules = rulesOf(options, found.id);
	return judgeChange({
		rules,
		action,
		targets,
		reviewed,
		production: found.environment === 'production',
		readOnly: readOnlyWords(connections.mode(found.id), found.name),
		isolations,
	});
}

/** Of changes that disrupt (tier 2 and 3). A screen always asks; for lines the rules decide, and production. */
function needsReason(options: GuardsOptions, request: JudgeRequest, surface: Surface): boolean {
	if (surface === 'screen') return true;
	if (request.action === 'release') return false;
	const { id, environment } = options.connections().find(request.connection);
	return environment === 'production' || rulesOf(options, id).lineReason;
}

function readOnlyWords(mode: ReturnType<Connections['mode']>, name: string): string | null {
	return mode.kind === 'guarded' ? null : refusedWriting(mode.because, name);
}

function nameNeeded(name: string): CordonError {
	return new CordonError(
		'confirmation_needed',
		`Guard rules keep a slip from becoming an outage. Type the connection's name, ${name}, to change them: nothing was changed.`,
		{ field: 'confirm' },
	);
}
