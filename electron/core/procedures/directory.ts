import type { Directory } from '../directory/types.ts';
import type { Implementer, RouterParts } from './parts.ts';

export function directoryProcedures(os: Implementer, parts: RouterParts) {
  const open = parts.directories.open;
  /** What a screen asks for is read behind the scenes where it is old; what is known is answered at once. */
  const seen = (connection: string): Directory => {
    const copy = open(connection);
    copy.look();
    return copy;
  };
  const routes = os.directory;
  return {
    groups: {
      tree: routes.groups.tree.handler(({ input }) => seen(input.connection).tree()),
      refreshOne: routes.groups.refreshOne.handler(({ input, signal }) =>
        open(input.connection).refreshGroup(input.guid, signal),
      ),
      preview: routes.groups.preview.handler(({ input, signal }) =>
        open(input.connection).preview(input.guid, input.policies, signal),
      ),
    },
    policies: {
      list: routes.policies.list.handler(({ input }) => seen(input.connection).policies()),
      detail: routes.policies.detail.handler(({ input }) => seen(input.connection).policy(input.guid)),
      refreshOne: routes.policies.refreshOne.handler(({ input, signal }) =>
        open(input.connection).refreshPolicy(input.guid, signal),
      ),
      xml: routes.policies.xml.handler(({ input, signal }) => open(input.connection).xml(input.guid, signal)),
    },
    fileLists: fileListProcedures(os, open, seen),
    state: routes.state.handler(({ input }) => open(input.connection).state()),
    refresh: routes.refresh.handler(({ input, signal }) =>
      open(input.connection).refresh({ details: input.details }, signal),
    ),
  };
}

type Open = (connection: string) => Directory;

function fileListProcedures(os: Implementer, open: Open, seen: Open) {
  const routes = os.directory.fileLists;
  return {
    list: routes.list.handler(({ input }) => seen(input.connection).fileLists()),
    items: routes.items.handler(({ input: { connection, guid, ...query } }) => seen(connection).items(guid, query)),
    refreshItems: routes.refreshItems.handler(({ input, signal }) =>
      open(input.connection).refreshItems(input.guid, signal),
    ),
    coverage: routes.coverage.handler(({ input }) => seen(input.connection).coverage(input.guid)),
    holding: routes.holding.handler(({ input }) => open(input.connection).holding(input.sha256)),
  };
}
