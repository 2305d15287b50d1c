import type { EventFact } from './facts.ts';
import { newestFirst } from './facts.ts';
import { groupSeeds, ownGroups, sitesOf, type GroupSeed } from './groups.ts';
import { tellHistory } from './history.ts';
import type { Host } from './host.ts';
import { generateHosts } from './hosts.ts';
import { listSeeds, policySeeds, type ListSeed, type PolicySeed } from './policies.ts';
import { seedNumber } from './random.ts';
import { tellStory, type Story } from './story.ts';

/** Everything that exists when the sandbox starts. It has no date: times count from the start. */
export interface Tenant {
  readonly seed: string;
  readonly seedNumber: number;
  readonly hosts: readonly Host[];
  readonly groups: readonly GroupSeed[];
  readonly policies: readonly PolicySeed[];
  readonly lists: readonly ListSeed[];
  readonly story: Story;
  /** Newest first; made when first asked for. */
  events(): readonly EventFact[];
}

export interface TenantSize {
  /** Default and least: 44. */
  readonly groups?: number | undefined;
  /** Default and most: 14. */
  readonly fileLists?: number | undefined;
}

/** The same seed and size give the same tenant. */
export function generateTenant(seed: string, computers: number, size: TenantSize = {}): Tenant {
  const groups = groupSeeds(seed, size.groups);
  const hosts = spread(generateHosts(seed, computers, groups), groups);
  const story = tellStory(seed, hosts);
  const attacked = new Set(story.activities.map(({ host }) => host));
  let events: readonly EventFact[] | undefined;
  return {
    seed,
    seedNumber: seedNumber(seed),
    hosts,
    groups,
    policies: policySeeds(seed),
    lists: listSeeds(seed).slice(0, size.fileLists),
    story,
    events: () => (events ??= newestFirst([...story.events, ...tellHistory(seed, hosts, attacked)])),
  };
}

function spread(hosts: readonly Host[], groups: readonly GroupSeed[]): readonly Host[] {
  if (groups.length === ownGroups) return hosts;
  const siteOf = sitesOf(groups);
  return hosts.map((host) => ({ ...host, group: siteOf(host.group, host.index) }));
}
