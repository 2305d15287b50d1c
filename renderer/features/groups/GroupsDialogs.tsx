import type { GroupNode } from '#shared/contract/directory.ts';

import { TableExportDialog } from '../../commands/directory/TableExportDialog.tsx';
import { MoveComputerDialog } from '../../commands/move/MoveComputerDialog.tsx';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import { exportedGroups } from './export-groups.ts';
import type { GroupsSearch } from './search.ts';
import { t } from './text.ts';
import type { Moves } from './use-moves.ts';
import type { TreeView } from './use-tree-view.ts';

interface GroupsDialogsProps {
  readonly act: GroupsSearch['act'];
  readonly groups: readonly GroupNode[];
  readonly view: TreeView;
  readonly moves: Moves;
  readonly onClose: () => void;
}

/** What keys, buttons and drops open. */
export function GroupsDialogs({ act, groups, view, moves, onClose }: GroupsDialogsProps) {
  const { shown: group, below } = view;
  return (
    <>
      {act === 'export' ? <ExportDialog groups={groups} view={view} onClose={onClose} /> : null}
      {act === 'assign' && group !== undefined ? (
        <AssignDialog key={group.guid} group={group} below={below} onClose={onClose} />
      ) : null}
      {act === 'note' && group !== undefined ? (
        <NoteDialog target={{ guid: group.guid, label: group.name }} onClose={onClose} />
      ) : null}
      {moves.request === null ? null : (
        <MoveComputerDialog
          key={`${moves.request.guid} ${moves.request.to ?? ''}`}
          request={moves.request}
          onClose={moves.close}
          onMoved={moves.done}
          onUndo={moves.ask}
        />
      )}
    </>
  );
}

function ExportDialog({ groups, view, onClose }: Pick<GroupsDialogsProps, 'groups' | 'view' | 'onClose'>) {
  const { lines, matches } = view;
  const chosen = matches === null ? groups : lines.filter(({ isMatch }) => isMatch).map(({ node }) => node);
  return (
    <TableExportDialog
      title={t.exportTheGroups}
      table={exportedGroups(groups, chosen)}
      lacks={chosen.some(({ policies }) => policies === null) ? t.policiesNot : null}
      onClose={onClose}
    />
  );
}
