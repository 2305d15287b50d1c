import { Refusal, single, type Answer } from './answer.ts';
import { value, values, type Call } from './call.ts';
import { computerRecord } from './computer-record.ts';
import { pagedList } from './paging.ts';
import { holdPolicy } from './policy-hold.ts';
import type { Route } from './router.ts';
import { movedChange } from './tenant/audit.ts';
import type { Host } from './tenant/host.ts';
import { hostOf, type World } from './world.ts';

const filters = ['hostname', 'internal_ip', 'external_ip', 'group_guid', 'last_seen_within', 'last_seen_over'];

export function computerRoutes(world: World): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/computers',
      query: ['limit', 'offset', ...filters],
      handle: (call) => list(world, call),
    },
    {
      method: 'GET',
      path: '/v1/computers/:guid',
      handle: (call, guid = '') => single(call.self, computerRecord(world, call, hostOf(world, guid))),
    },
    {
      method: 'PATCH',
      path: '/v1/computers/:guid',
      handle: (call, guid = '') => move(world, call, hostOf(world, guid)),
    },
  ];
}

function list(world: World, call: Call): Answer {
  return pagedList(call, matching(world, call), (host) => computerRecord(world, call, host));
}

type Test = (host: Host) => boolean;

/** Values of one filter are alternatives, different filters must all hold (API reference, 1.3). */
function matching(world: World, call: Call): readonly Host[] {
  const names = values(call, 'hostname');
  const hosts = names.length === 0 ? world.fleet.hosts() : world.fleet.named(names);
  const tests = [internalTest(call), externalTest(call), groupTest(world, call), ...ageTests(world, call)].filter(
    (test) => test !== undefined,
  );
  return tests.length === 0 ? hosts : hosts.filter((host) => tests.every((test) => test(host)));
}

function internalTest(call: Call): Test | undefined {
  const wanted = value(call, 'internal_ip');
  return wanted === undefined ? undefined : (host) => host.ips.some((ip) => ip.trim() === wanted);
}

function externalTest(call: Call): Test | undefined {
  const wanted = value(call, 'external_ip');
  return wanted === undefined ? undefined : (host) => host.externalIp === wanted;
}

function groupTest(world: World, call: Call): Test | undefined {
  const guids = values(call, 'group_guid');
  if (guids.length === 0) return undefined;
  const groups = new Set(guids.map((guid) => world.directory.findGroup(guid)));
  return (host) => groups.has(world.fleet.group(host));
}

function ageTests(world: World, call: Call): readonly Test[] {
  const age = (host: Host): number => (call.now - world.fleet.lastSeen(host, call.now)) / 86_400_000;
  const [within, over] = [days(call, 'last_seen_within'), days(call, 'last_seen_over')];
  return [
    ...(within === undefined ? [] : [(host: Host) => age(host) <= within]),
    ...(over === undefined ? [] : [(host: Host) => age(host) > over]),
  ];
}

function days(call: Call, name: string): number | undefined {
  const text = value(call, name);
  if (text !== undefined && !/^\d{1,5}$/.test(text)) throw new Refusal(400, `${name} must be a whole number of days`);
  return text === undefined ? undefined : Number(text);
}

/** 202 with the new group and the old policy; the connector fetches the new one at its next contact (API reference, 4.3). */
function move(world: World, call: Call, host: Host): Answer {
  const guid = call.body['group_guid'];
  if (guid === undefined || guid === '') throw new Refusal(400, 'group_guid is missing');
  const group = world.directory.findGroup(guid);
  if (group === undefined) throw new Refusal(404, `Group not found for given guid: ${guid}`);
  world.audit.add(call.now, call.caller, movedChange(host, world.fleet.group(host), group));
  holdPolicy(world, [host], call.now, () => world.fleet.change(host, { group }));
  const { last_seen: _seen, av_update_definitions: _definitions, ...shown } = computerRecord(world, call, host);
  return single(call.self, shown, 202);
}
