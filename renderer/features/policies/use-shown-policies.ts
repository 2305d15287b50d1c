import { useMemo } from 'react';

import type { DirectoryState, GroupNode, PolicyRow } from '#shared/contract/directory.ts';

import { isReading, useGroups, usePolicies, type Copy } from '../../commands/directory/use-directory.ts';
import { groupLines, productsIn, type GroupLine } from './matrix.ts';
import { answering, byProduct } from './policy-facts.ts';
import type { PoliciesSearch } from './search.ts';

const noPolicies: readonly PolicyRow[] = [];
const noGroups: readonly GroupNode[] = [];

export interface ShownPolicies {
  /** Groups are the rows, and not policies. */
  readonly isMatrix: boolean;
  /** Of what the rows are. */
  readonly copy: Copy<PolicyRow> | Copy<GroupNode>;
  readonly waiting: boolean;
  readonly policies: readonly PolicyRow[];
  readonly policiesState: DirectoryState | undefined;
  /** Groups by GUID. */
  readonly known: ReadonlyMap<string, GroupNode>;
  /** Policies and groups that answer to the search and the product. */
  readonly rows: readonly PolicyRow[];
  readonly lines: readonly GroupLine[];
  /** Columns of the matrix. */
  readonly products: readonly string[];
  /** Of the view: how many rows are shown, how many there are, and of how many the details were read. */
  readonly count: number;
  readonly all: number;
  readonly read: number;
}

/** The rows of the view that the address names. */
export function useShownPolicies(search: PoliciesSearch, isRefreshing: boolean): ShownPolicies {
  const copy = usePolicies();
  const tree = useGroups();
  const isMatrix = search.view === 'groups';
  const { product } = search;
  const text = (search.search ?? '').trim();
  const policies = copy.items ?? noPolicies;
  const groups = tree.items ?? noGroups;
  const known = useMemo(() => new Map(groups.map((group) => [group.guid, group])), [groups]);
  const rows = useMemo(() => byProduct(answering(policies, text, product)), [policies, text, product]);
  const lines = useMemo(() => groupLines(groups, text, product), [groups, text, product]);
  const products = useMemo(
    () => (product === undefined ? productsIn(groups, policies) : [product]),
    [groups, policies, product],
  );
  const shared = { isMatrix, policies, policiesState: copy.state, known, rows, lines, products };
  const waits = ({ items, state }: Copy<unknown>) =>
    items === undefined || (items.length === 0 && isReading(state, isRefreshing));
  if (isMatrix) {
    const read = groups.filter((group) => group.policies !== null).length;
    return { ...shared, copy: tree, waiting: waits(tree), count: lines.length, all: groups.length, read };
  }
  const read = policies.filter(({ fileLists }) => fileLists !== null).length;
  return { ...shared, copy, waiting: waits(copy), count: rows.length, all: policies.length, read };
}
