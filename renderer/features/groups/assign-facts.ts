/** What the dialog that assigns policies works out: pure, so that it can be tested without a page. */
import type { GroupChangePreview, GroupNode, PolicyRow } from '#shared/contract/directory.ts';

/** GUIDs of chosen policies by product; products that stay as they are are left out. */
export type Chosen = Readonly<Record<string, string>>;

/** Products for which the service takes a policy (API reference, "Groups"). */
export const assignable = ['windows', 'mac', 'linux', 'android'] as const;

export function commandArgs(group: string, chosen: Chosen): Record<string, string> {
  return {
    group_guid: group,
    ...Object.fromEntries(
      assignable.flatMap((product) =>
        chosen[product] === undefined ? [] : [[`${product}_policy_guid`, chosen[product]] as const],
      ),
    ),
  };
}

/** What differs from the preview by now, in a sentence; `null` when nothing does. */
export function driftOf(preview: GroupChangePreview, group: GroupNode): string | null {
  const first = preview.products.find(({ product, before, after }) => {
    if (before?.guid === after?.guid) return false;
    return group.policies?.find((use) => use.product === product)?.guid !== before?.guid;
  });
  if (first === undefined) return null;
  const now = group.policies?.find((use) => use.product === first.product)?.name ?? 'none';
  return `Somebody else has changed the ${first.product} policy of ${group.name} to ${now} meanwhile.`;
}

/** Calls that a preview makes for what it lacks: nothing is sent but readings. */
export function readingsOf(group: GroupNode, chosen: Chosen, policies: ReadonlyMap<string, PolicyRow>): number {
  const now = (group.policies ?? []).filter(({ product }) => chosen[product] !== undefined).map(({ guid }) => guid);
  const wanted = new Set([...now, ...Object.values(chosen)]);
  const unread = [...wanted].filter((guid) => (policies.get(guid)?.fileLists ?? null) === null).length;
  return unread + (group.policies === null ? 1 : 0);
}

/** Products whose policy would change. */
export function changedProducts(preview: GroupChangePreview): GroupChangePreview['products'] {
  return preview.products.filter(({ before, after }) => before?.guid !== after?.guid);
}

/** Whether the group has now what was sent. */
export function holds(group: GroupNode, chosen: Chosen): boolean {
  return Object.entries(chosen).every(
    ([product, guid]) => group.policies?.find((use) => use.product === product)?.guid === guid,
  );
}
