/** The ways of a list to its computers as bands, and the filters behind the numbers: pure. */
import type { Coverage, PolicyWay } from '#shared/contract/directory.ts';

import { productTitle } from '../../commands/directory/directory-words.ts';
import type { FlowLink, FlowNode } from '../../ui/chart/Flow.tsx';

export interface CoverageFlow {
  readonly nodes: readonly FlowNode[];
  readonly links: readonly FlowLink[];
  /** What a node shows in the list of computers, by its key. */
  readonly filters: ReadonlyMap<string, string>;
}

/** More than these are put together, or the bands would be hairs. The table has all. */
const [mostPolicies, mostGroups] = [10, 14];
const otherPolicies = 'p other';
const otherGroups = 'g other';

export function flowOf(coverage: Coverage): CoverageFlow {
  const { ways, list } = coverage;
  const policies = keptOf(ways, policyKey, mostPolicies);
  const groups = keptOf(ways, groupKey, mostGroups);
  const placed = ways.map((way) => ({
    way,
    policy: policies.has(policyKey(way)) ? policyKey(way) : otherPolicies,
    group: groups.has(groupKey(way)) ? groupKey(way) : otherGroups,
  }));
  const names = new Map(
    placed.flatMap(({ way, policy, group }): readonly (readonly [string, string])[] => [
      [policy, policy === otherPolicies ? 'Other policies' : policyName(way)],
      [group, group === otherGroups ? 'Other groups' : way.group.name],
    ]),
  );
  const toPolicies = summed(placed.map(({ way, policy }) => ['list', policy, way.computers]));
  const toGroups = summed(placed.map(({ way, policy, group }) => [policy, group, way.computers]));
  const node = (column: number, tone: FlowNode['tone'], links: readonly FlowLink[]): readonly FlowNode[] =>
    [...Map.groupBy(links, ({ to }) => to)].map(([key, into]) => ({
      ...{ key, name: names.get(key) ?? key, column, tone },
      value: into.reduce((sum, { value }) => sum + value, 0),
    }));
  return {
    nodes:
      ways.length === 0
        ? []
        : [
            { key: 'list', name: list.name, column: 0, value: coverage.enforced, tone: 'ok' },
            ...node(1, 'accent', toPolicies),
            ...node(2, 'hold', toGroups),
          ],
    links: [...toPolicies, ...toGroups],
    filters: filtersOf(placed),
  };
}

/** The computers of one way, as a filter of the list of computers. */
export function wayFilter({ policy, group }: PolicyWay): string {
  return `policy:${policy.guid} ${groupTerm(group.guid)}`;
}

export function policyName({ policy }: PolicyWay): string {
  return policy.product === '' ? policy.name : `${policy.name} (${productTitle(policy.product)})`;
}

function groupTerm(guid: string): string {
  return guid === '' ? 'group:empty' : `group:${guid}`;
}

function filtersOf(
  placed: readonly { readonly way: PolicyWay; readonly policy: string; readonly group: string }[],
): ReadonlyMap<string, string> {
  const all = [...new Set(placed.map(({ way }) => way.policy.guid))].join(',');
  const filters = new Map<string, string>([['list', `policy:${all}`]]);
  for (const [key, ways] of Map.groupBy(placed, ({ policy }) => policy))
    filters.set(key, `policy:${[...new Set(ways.map(({ way }) => way.policy.guid))].join(',')}`);
  for (const [key, ways] of Map.groupBy(placed, ({ group }) => group)) {
    const [first] = ways;
    const policies = [...new Set(ways.map(({ way }) => way.policy.guid))].join(',');
    const groups = [...new Set(ways.map(({ way }) => way.group.guid))];
    // Several groups of several policies are no rectangle: no filter can say exactly those.
    if (first !== undefined && groups.length === 1)
      filters.set(key, `policy:${policies} ${groupTerm(first.way.group.guid)}`);
  }
  return filters;
}

function policyKey({ policy }: PolicyWay): string {
  return `p ${policy.guid}`;
}

function groupKey({ group }: PolicyWay): string {
  return `g ${group.guid}`;
}

/** The largest, all of them while there are no more than `most`. */
function keptOf(ways: readonly PolicyWay[], key: (way: PolicyWay) => string, most: number): ReadonlySet<string> {
  const sums = [...Map.groupBy(ways, key)].map(
    ([name, same]) => [name, same.reduce((sum, { computers }) => sum + computers, 0)] as const,
  );
  const ordered = sums.toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  return new Set(ordered.length <= most ? ordered : ordered.slice(0, most - 1));
}

function summed(edges: readonly (readonly [from: string, to: string, value: number])[]): readonly FlowLink[] {
  return [...Map.groupBy(edges, ([from, to]) => `${from}\n${to}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return [{ from: first[0], to: first[1], value: same.reduce((sum, [, , value]) => sum + value, 0) }];
  });
}
