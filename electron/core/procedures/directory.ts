import type { DirectoryState, FileListRow, GroupNode, PolicyDetail, PolicyRow } from '#shared/contract/directory.ts';
import { CordonError } from '#shared/contract/errors.ts';

import type { Implementer, RouterParts } from './parts.ts';

export function directoryProcedures(os: Implementer, parts: RouterParts) {
  const { inventories } = parts;
  const routes = os.directory;
  const state: DirectoryState = {
    phase: 'empty',
    readAt: null,
    details: { read: 0, of: 0 },
    error: null,
    refreshCalls: null,
    detailCalls: null,
    revision: 0,
  };
  const none = (): CordonError => new CordonError('not_found', 'Nothing of this object was read yet.');
  const groups = (connection: string): readonly GroupNode[] => {
    const at = inventories.open(connection).state().readAt ?? new Date(0).toISOString();
    const nothing = { computers: 0, compromised: 0, isolated: 0 };
    return inventories
      .open(connection)
      .groups()
      .map(({ guid, name, computers }) => ({
        ...{ guid, name, description: '', source: null, parent: null, children: [] },
        ...{ ...nothing, computers, below: { ...nothing, computers } },
        ...{ policies: null, readAt: at, problem: null, vanishedAt: null },
      }));
  };
  return {
    groups: {
      tree: routes.groups.tree.handler(({ input }) => ({ state, groups: groups(input.connection) })),
      refreshOne: routes.groups.refreshOne.handler(
        ({ input }) => groups(input.connection).find(({ guid }) => guid === input.guid) ?? null,
      ),
      preview: routes.groups.preview.handler(() => {
        throw none();
      }),
    },
    policies: {
      list: routes.policies.list.handler(() => ({ state, policies: [] as readonly PolicyRow[] })),
      detail: routes.policies.detail.handler((): PolicyDetail | null => null),
      refreshOne: routes.policies.refreshOne.handler((): PolicyDetail | null => null),
      xml: routes.policies.xml.handler(() => {
        throw none();
      }),
    },
    fileLists: {
      list: routes.fileLists.list.handler(() => ({ state, lists: [] as readonly FileListRow[] })),
      items: routes.fileLists.items.handler(() => {
        throw none();
      }),
      refreshItems: routes.fileLists.refreshItems.handler(() => {
        throw none();
      }),
      coverage: routes.fileLists.coverage.handler(() => {
        throw none();
      }),
      holding: routes.fileLists.holding.handler(() => []),
    },
    state: routes.state.handler(() => state),
    refresh: routes.refresh.handler(() => state),
  };
}
