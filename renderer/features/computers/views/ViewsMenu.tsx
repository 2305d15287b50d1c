import { useState } from 'react';

import type { SavedView } from '#shared/model/saved-view.ts';

import { Menu, type MenuGroup } from '../../../ui/Menu.tsx';
import { useKey } from '../../../ui/keys/KeyRegistry.tsx';
import { t } from '../text.ts';
import type { Views } from './use-views.ts';
import { ViewDialog } from './ViewDialog.tsx';

interface ViewsMenuProps {
  readonly views: Views;
  /** What the list shows now, as a view without a name. */
  readonly shown: () => SavedView;
}

/** All views, and what can be done with the one that is shown. */
export function ViewsMenu({ views, shown }: ViewsMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<{ readonly view: SavedView; readonly isNew: boolean } | null>(null);
  useKey('computers.views', () => setOpen(true));
  const { all, current } = views;
  const groups: readonly MenuGroup[] = [
    {
      title: 'Views',
      entries: [
        { id: 'open ', label: 'All computers', isChecked: current === undefined },
        ...all.map((view) => ({
          id: `open ${view.id}`,
          label: view.isDefault ? `${view.name} (opens first)` : view.name,
          detail: view.filter === '' ? 'no filter' : view.filter,
          isChecked: view.id === current?.id,
        })),
      ],
    },
    {
      title: 'What is shown',
      entries: [
        { id: 'new', label: 'Save as a view…', detail: 'filter, order and columns under a name' },
        ...(current === undefined ? [] : [{ id: 'edit', label: `Rename, pin or delete “${current.name}”…` }]),
      ],
    },
  ];
  const act = (id: string) => {
    if (id === 'new') setEdited({ view: shown(), isNew: true });
    else if (id === 'edit' && current !== undefined) setEdited({ view: current, isNew: false });
    else views.open(all.find((view) => `open ${view.id}` === id) ?? null);
  };
  return (
    <>
      <Menu label={t.views} groups={groups} onAction={act} isOpen={isOpen} onOpenChange={setOpen} />
      {edited === null ? null : (
        <ViewDialog
          {...edited}
          names={all.filter(({ id }) => id !== edited.view.id).map(({ name }) => name)}
          onSave={(view) => {
            views.save(view);
            if (edited.isNew) views.open(view);
          }}
          onRemove={views.remove}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
