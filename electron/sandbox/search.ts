import type { EventBlock } from './tenant/facts.ts';
import type { Host } from './tenant/host.ts';
import { endpoints, programs, runs, talksTo } from './tenant/programs.ts';
import { addressOf } from './tenant/story.ts';
import type { World } from './world.ts';

/** The service searches at most so many records (API reference, 4.7). */
const searched = 5000;

/**
 * Computers whose events or trajectory hold an address, hash, file name or part of a URL, in the order of the list.
 * The everyday part is decided from the same dice that make the trajectories, so that both agree without making them.
 */
export function computersWith(world: World, q: string): readonly Host[] {
  const { tenant } = world;
  const programIndexes = programs.flatMap((program, index) =>
    same(program.sha256, q) || same(program.name, q) ? [index] : [],
  );
  const endpointIndexes = endpoints.flatMap((endpoint, index) =>
    same(endpoint.ip, q) || partOf(endpoint.url, q) ? [index] : [],
  );
  const named = new Set([
    ...tenant.story.activities.filter(({ block }) => mentions(block, q)).map(({ host }) => host),
    ...world.events
      .all()
      .filter(({ block, frame }) => frame !== 'hostname' && mentions(block, q))
      .map(({ host }) => host),
  ]);
  const found = world.fleet
    .hosts()
    .filter(
      (host) =>
        named.has(host.index) ||
        programIndexes.some((index) => runs(tenant.seedNumber, host, index)) ||
        endpointIndexes.some((index) => talksTo(tenant.seedNumber, host, index)) ||
        isLocalAddress(tenant.seedNumber, host, q),
    );
  return found.slice(0, searched);
}

/** Connections name the computer's own address, except on macOS. */
function isLocalAddress(seedNumber: number, host: Host, q: string): boolean {
  return (
    host.platform !== 'mac' && addressOf(host) === q && endpoints.some((_, index) => talksTo(seedNumber, host, index))
  );
}

/** Whether a block of an event or activity holds that address, hash, file name or part of a URL. */
export function mentions(value: unknown, q: string, key = ''): boolean {
  if (typeof value === 'string') return matches(key, value, q);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value as EventBlock).some(([name, inner]) => mentions(inner, q, name));
}

const exact = new Set(['sha256', 'remote_ip', 'local_ip', 'file_name']);

function matches(key: string, value: string, q: string): boolean {
  return (exact.has(key) && same(value, q)) || (key === 'dirty_url' && partOf(value, q));
}

function same(value: string, q: string): boolean {
  return value.toLowerCase() === q.toLowerCase();
}

function partOf(url: string | undefined, q: string): boolean {
  return url?.toLowerCase().includes(q.toLowerCase()) === true;
}
