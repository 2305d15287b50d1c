/** Which policies the computers of groups have, as bands, and which of them use a list: pure. */
import type { PolicyRow, PolicyWay } from '#shared/contract/directory.ts';

import { productTitle } from '../../commands/directory/directory-words.ts';
import type { FlowLink, FlowNode } from '../../ui/chart/Flow.tsx';

export interface PolicyFlow {
  readonly nodes: readonly FlowNode[];
  readonly links: readonly FlowLink[];
}

/** More than these are put together, or the bands would be hairs. The table has all. */
const [mostGroups, mostPolicies] = [16, 14];
const others = 'other';

/** Whether a policy uses a list; `unknown` while its lists are not read. */
export type ListUse = 'uses' | 'not' | 'unknown';

export function listUseOf(policy: PolicyRow | undefined, list: string): ListUse {
  if (policy === undefined || policy.fileLists === null) return 'unknown';
  return policy.fileLists.some(({ guid }) => guid === list) ? 'uses' : 'not';
}

export const listUseWords: Readonly<Record<ListUse, string>> = { uses: 'uses it', not: 'does not', unknown: '?' };
const listUseTones: Readonly<Record<ListUse, FlowNode['tone']>> = { uses: 'ok', not: 'accent', unknown: 'dim' };

/** `list`: GUID of the list that policies are marked by. */
export function policyFlowOf(
  ways: readonly PolicyWay[],
  policies: ReadonlyMap<string, PolicyRow>,
  list?: string,
): PolicyFlow {
  const groups = keptOf(ways, ({ group }) => group.guid, mostGroups);
  const kept = keptOf(ways, ({ policy }) => policy.guid, mostPolicies);
  const placed = ways.map((way) => ({
    way,
    from: `g ${groups.has(way.group.guid) ? way.group.guid : others}`,
    to: `p ${kept.has(way.policy.guid) ? way.policy.guid : others}`,
  }));
  const sum = (same: typeof placed) => same.reduce((total, { way }) => total + way.computers, 0);
  const nodes = (column: 0 | 1): readonly FlowNode[] =>
    [...Map.groupBy(placed, ({ from, to }) => (column === 0 ? from : to))].flatMap(([key, same]) => {
      const [first] = same;
      if (first === undefined) return [];
      const look = column === 0 ? groupLook(first.way, key) : policyLook(first.way, key, policies, list);
      return [{ key, column, value: sum(same), ...look }];
    });
  return {
    nodes: [...nodes(0), ...nodes(1)],
    links: [...Map.groupBy(placed, ({ from, to }) => `${from}\n${to}`).values()].flatMap((same) => {
      const [first] = same;
      return first === undefined ? [] : [{ from: first.from, to: first.to, value: sum(same) }];
    }),
  };
}

type Look = Pick<FlowNode, 'name' | 'tone'>;

function groupLook({ group }: PolicyWay, key: string): Look {
  return { name: key === `g ${others}` ? 'Other groups' : group.name, tone: 'hold' };
}

function policyLook(
  { policy }: PolicyWay,
  key: string,
  policies: ReadonlyMap<string, PolicyRow>,
  list: string | undefined,
): Look {
  if (key === `p ${others}`) return { name: 'Other policies', tone: 'faint' };
  const name = policyTitle(policy);
  if (list === undefined) return { name, tone: 'accent' };
  const use = listUseOf(policies.get(policy.guid), list);
  return { name: `${name} · ${listUseWords[use]}`, tone: listUseTones[use] };
}

export function policyTitle({ name, product }: PolicyWay['policy']): string {
  return product === '' ? name : `${name} (${productTitle(product)})`;
}

/** The largest, all of them while there are no more than `most`. */
function keptOf(ways: readonly PolicyWay[], key: (way: PolicyWay) => string, most: number): ReadonlySet<string> {
  const sums = [...Map.groupBy(ways, key)].map(
    ([name, same]) => [name, same.reduce((sum, { computers }) => sum + computers, 0)] as const,
  );
  const ordered = sums.toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  return new Set(ordered.length <= most ? ordered : ordered.slice(0, most - 1));
}

/** Computers that a list would reach on top of those it reaches, if these policies used it too; `null` while unknown. */
export function reachOf(
  ways: readonly PolicyWay[],
  policies: ReadonlyMap<string, PolicyRow>,
  list: string,
): Readonly<Record<ListUse, number>> {
  const reach = { uses: 0, not: 0, unknown: 0 };
  for (const { policy, computers } of ways) reach[listUseOf(policies.get(policy.guid), list)] += computers;
  return reach;
}
