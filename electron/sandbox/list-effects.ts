import { computersWith } from './search.ts';
import { types } from './tenant/event-types.ts';
import { connectorEventId, factDie, type EventBlock } from './tenant/facts.ts';
import type { Host } from './tenant/host.ts';
import type { ListSeed } from './tenant/policies.ts';
import { programs } from './tenant/programs.ts';
import { policyInForce, type World } from './world.ts';

/** One change is answered by that many computers at most. */
const reporters = 12;

/** A hash on a list is met at the next contact of the computers that have the file and whose policy uses the list. */
export function listEffects(world: World, list: ListSeed, sha256: string, now: number): void {
  const present = (): boolean => world.lists.items(list).has(sha256);
  const affected = computersWith(world, sha256).filter(
    (host) => world.fleet.online(host) && policyInForce(world, host).lists.includes(list.name),
  );
  for (const host of affected.slice(0, reporters)) {
    world.agents.ask(host, now, (at) => {
      if (present()) meet(world, host, list, sha256, at);
    });
  }
}

function meet(world: World, host: Host, list: ListSeed, sha256: string, at: number): void {
  const report = (type: number, block: EventBlock): void =>
    world.events.add(host, world.fleet.group(host), at, type, block, { detectionSha256: sha256 });
  const name = programs.find((program) => program.sha256 === sha256)?.name;
  const file = { disposition: 'Blocklisted', ...(name === undefined ? {} : { file_name: name }), identity: { sha256 } };
  if (list.type === 'application_blocking') return report(types.executionBlocked, { file });
  if (list.type !== 'simple_custom_detections') return;
  const detection_id = String(connectorEventId(factDie(world.tenant.seed, 'custom detection', host.index, at)));
  const detection = `Simple_Custom_Detection.${sha256.slice(0, 10).toUpperCase()}`;
  report(types.threatDetected, {
    detection,
    detection_id,
    severity: 'Medium',
    file: { ...file, disposition: 'Malicious' },
  });
  report(types.quarantined, {
    detection_id,
    severity: 'Medium',
    file: { disposition: 'Malicious', identity: { sha256 } },
  });
}
