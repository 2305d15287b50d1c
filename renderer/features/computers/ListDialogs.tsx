import { LabelsDialog } from '../../commands/LabelsDialog.tsx';
import { AskedDialog, type Asked } from './AskedDialog.tsx';
import { ColumnsDialog } from './ColumnsDialog.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { RefreshDialog } from './selection/RefreshDialog.tsx';
import type { ComputersList } from './use-list.ts';

/** A dialog of the list that is open. */
export type Open =
  | { readonly kind: 'columns' | 'export' | 'refresh' }
  | { readonly kind: 'labels'; readonly guids: readonly string[] }
  | { readonly kind: 'asked'; readonly asked: Asked };

interface ListDialogsProps {
  readonly opened: Open | null;
  readonly list: ComputersList;
  readonly onClose: () => void;
}

export function ListDialogs({ opened, list, onClose }: ListDialogsProps) {
  const { views, selection, question, matching } = list;
  if (opened === null) return null;
  switch (opened.kind) {
    case 'asked':
      return <AskedDialog asked={opened.asked} onClose={onClose} />;
    case 'labels':
      return <LabelsDialog guids={opened.guids} onClose={onClose} />;
    case 'refresh':
      return <RefreshDialog guids={selection.guids} onClose={onClose} />;
    case 'columns':
      return (
        <ColumnsDialog
          columns={views.columns}
          view={views.current?.name ?? null}
          onChange={views.setColumns}
          onClose={onClose}
        />
      );
    case 'export':
      return (
        <ExportDialog
          question={question}
          matching={matching}
          columns={views.columns}
          selected={selection.guids}
          onClose={onClose}
        />
      );
  }
}
