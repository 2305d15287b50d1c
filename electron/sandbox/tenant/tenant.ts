import type { EventFact } from './facts.ts';
import { newestFirst } from './facts.ts';
import { groupSeeds, type GroupSeed } from './groups.ts';
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

/** The same seed and size give the same tenant. */
export function generateTenant(seed: string, computers: number): Tenant {
  const groups = groupSeeds(seed);
  const hosts = generateHosts(seed, computers, groups);
  const story = tellStory(seed, hosts);
  const attacked = new Set(story.activities.map(({ host }) => host));
  let events: readonly EventFact[] | undefined;
  return {
    seed,
    seedNumber: seedNumber(seed),
    hosts,
    groups,
    policies: policySeeds(seed),
    lists: listSeeds(seed),
    story,
    events: () => (events ??= newestFirst([...story.events, ...tellHistory(seed, hosts, attacked)])),
  };
}
