/** The guards of a profile: rules from `profile.db`, facts from the log and the connections, the judgement from `judge.ts`. */
import { CordonError } from '#shared/contract/errors.ts';
import type { GuardJudgement } from '#shared/model/guard.ts';
import type { Surface } from '#shared/model/incident.ts';

import type { Connections } from '../connections/types.ts';
import type { IncidentLog } from '../incidents/types.ts';
import type { Clock } from '../ports.ts';
import type { Database } from '../store/database.ts';
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
  readonly log: () => Pick<IncidentLog, 'append' | 'query'>;
  readonly roles: GivenRoles;
}

const hourMs = 3_600_000;

export function openGuards(options: GuardsOptions): Guards {
  const { database } = options;
  const judge = (request: JudgeRequest): GuardJudgement =>
    judgeNow(options, request, isolationsLately(options, request));
  return {
    rules: (connection) => readRules(database, connection),
    setRules: ({ connection, rules, confirm, surface }) => {
      const found = options.connections().find(connection);
      if (confirm?.trim().toLowerCase() !== found.name.toLowerCase()) throw nameNeeded(found.name);
      return writeRules(database, (entry) => options.log().append(entry), { connection: found, rules, surface });
    },
    targetsOf: (connection, guids, copy) => computerTargets(connection, guids, copy, options.roles),
    judge,
    answer: (request) => ({ judgement: judge(request), price: priceOf(options, request) }),
    admit: (request, agreement, surface) => {
      const judgement = judge(request);
      checkAgreement(judgement, agreement, needsReason(options, request, surface));
      return judgement;
    },
    // How many went out lately asks for a confirmation and refuses nothing; a job of a thousand need not count each time.
    admitPart: (request) => refuseWhole(judgeNow(options, { ...request, reviewed: true }, 0)),
  };
}

function isolationsLately(options: GuardsOptions, { connection, action }: JudgeRequest): number {
  if (action !== 'isolate') return 0;
  const { id } = options.connections().find(connection);
  const from = options.clock.now() - readRules(options.database, id).rolling.hours * hourMs;
  return isolationsSince(options.log(), id, from);
}

function judgeNow(options: GuardsOptions, request: JudgeRequest, isolations: number): GuardJudgement {
  const { connection, action, targets, reviewed = false } = request;
  const connections = options.connections();
  const found = connections.find(connection);
  const rules = readRules(options.database, found.id);
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
function needsReason({ database, connections }: GuardsOptions, request: JudgeRequest, surface: Surface): boolean {
  if (surface === 'screen') return true;
  if (request.action === 'release') return false;
  const { id, environment } = connections().find(request.connection);
  return environment === 'production' || readRules(database, id).lineReason;
}

function readOnlyWords(mode: ReturnType<Connections['mode']>, name: string): string | null {
  if (mode.kind === 'guarded') return null;
  if (mode.because === 'locked') return `Writing on ${name} is switched off: nothing was sent.`;
  return `The connection ${name} is read-only here: nothing was sent.`;
}

function nameNeeded(name: string): CordonError {
  return new CordonError(
    'confirmation_needed',
    `Guard rules keep a slip from becoming an outage. Type the connection's name, ${name}, to change them: nothing was changed.`,
    { field: 'confirm' },
  );
}
