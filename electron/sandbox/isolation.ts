import { problem, Refusal, single, type Answer } from './answer.ts';
import type { Call } from './call.ts';
import type { IsolationState } from './fleet.ts';
import { askConnector, changeIsolation, madeCode, statusShown } from './isolation-machine.ts';
import type { Route } from './router.ts';
import { isolatedChange } from './tenant/audit.ts';
import type { Host } from './tenant/host.ts';
import { dice } from './tenant/random.ts';
import { hostOf, type World } from './world.ts';

/** Endpoint isolation as a state machine (API reference, section 5). */
export function isolationRoutes(world: World): readonly Route[] {
  const path = '/v1/computers/:guid/isolation';
  return [
    { method: 'OPTIONS', path, handle: (call, guid = '') => options(world, call, hostOf(world, guid)) },
    { method: 'GET', path, handle: (call, guid = '') => show(world, call, hostOf(world, guid)) },
    { method: 'PUT', path, handle: (call, guid = '') => start(world, call, hostOf(world, guid)) },
    { method: 'DELETE', path, handle: (call, guid = '') => stop(world, call, hostOf(world, guid)) },
  ];
}

const allowed: Readonly<Record<IsolationState['status'], string>> = {
  not_isolated: 'OPTIONS, GET, PUT',
  pending_start: 'OPTIONS, GET, DELETE',
  isolated: 'OPTIONS, GET, DELETE',
  pending_stop: 'OPTIONS, GET',
};

const notAllowed = 'Endpoint isolation is not enabled in the policy of this computer';

function options(world: World, call: Call, host: Host): Answer {
  if (!world.fleet.available(host))
    return { ...problem(405, call.self, notAllowed), headers: { Allow: 'OPTIONS, GET' } };
  return { status: 204, headers: { Allow: allowed[statusShown(world.fleet.isolation(host), call.now)] } };
}

function show(world: World, call: Call, host: Host): Answer {
  const state = world.fleet.isolation(host);
  const status = statusShown(state, call.now);
  const shown = {
    available: world.fleet.available(host),
    status,
    unlock_code: state.unlockCode,
    comment: state.comment,
  };
  // A released computer keeps its code and comment, but nobody isolates it (API reference, 5.1).
  return single(
    call.self,
    status === 'not_isolated' || state.by === undefined ? shown : { ...shown, isolated_by: state.by },
  );
}

function start(world: World, call: Call, host: Host): Answer {
  const state = world.fleet.isolation(host);
  if (state.status !== 'not_isolated')
    return problem(409, call.self, `Computer isolation status is ${statusShown(state, call.now)}`);
  if (!world.fleet.available(host))
    return { ...problem(405, call.self, notAllowed), headers: { Allow: 'OPTIONS, GET' } };
  const unlockCode = checkedCode(call.body['unlock_code']) ?? madeCode(world, host, call.now);
  const comment = call.body['comment'] ?? null;
  changeIsolation(world, host, {
    status: 'pending_start',
    unlockCode,
    comment,
    by: call.caller,
    since: call.now,
    lingersUntil: 0,
  });
  world.audit.add(call.now, call.caller, isolatedChange(host, true, comment, unlockCode));
  askConnector(world, host, call.now);
  return show(world, call, host);
}

function stop(world: World, call: Call, host: Host): Answer {
  const state = world.fleet.isolation(host);
  if (state.status === 'not_isolated' || state.status === 'pending_stop')
    return problem(409, call.self, `Computer isolation status is ${statusShown(state, call.now)}`);
  // Half of the computers still read as isolated for a moment (API reference, 5.1).
  const lingers = state.status === 'isolated' && dice(world.tenant.seedNumber, host.index, 11) < 0.5;
  const lingersUntil = lingers ? call.now + world.agents.delayOf(host) / 4 : 0;
  changeIsolation(world, host, {
    ...state,
    status: 'pending_stop',
    comment: call.body['comment'] ?? state.comment,
    lingersUntil,
  });
  world.audit.add(call.now, call.caller, isolatedChange(host, false, call.body['comment'] ?? null, ''));
  askConnector(world, host, call.now);
  return show(world, call, host);
}

const invalid = 'Validation failed: Unlock Code is invalid';

function checkedCode(code: string | undefined): string | undefined {
  if (code === undefined || code === '') return undefined;
  if (code.length > 24) throw new Refusal(400, `${invalid}, Unlock Code is too long. (Maximum 24 characters)`);
  if (/\s/.test(code)) throw new Refusal(400, `${invalid}, Unlock Code cannot contain spaces`);
  return code;
}
