import { useState } from 'react';

import { Menu, type MenuGroup } from '../../ui/Menu.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { t } from './text.ts';

/** What is worth tidying up, as filters. */
const views: readonly { readonly filter: string; readonly label: string; readonly group: string }[] = [
  { filter: 'last_seen>30d', label: 'Not seen for 30 days', group: 'Stale' },
  { filter: 'last_seen>90d', label: 'Not seen for 90 days', group: 'Stale' },
  { filter: 'last_seen:empty', label: 'Never seen', group: 'Stale' },
  { filter: 'active:no', label: 'Connector no longer installed', group: 'Stale' },
  { filter: 'duplicate:yes', label: 'Same name as another computer', group: 'Duplicates' },
  { filter: 'duplicate_mac:yes', label: 'Same MAC as another computer', group: 'Duplicates' },
  { filter: 'group:empty', label: 'In no group', group: 'Records' },
  { filter: 'mac:empty', label: 'Without a MAC', group: 'Records' },
  {
    filter: 'guess:server,dc,hypervisor,infra,jump role:empty',
    label: 'Probably important, no role given',
    group: 'Records',
  },
  { filter: 'vanished:yes', label: 'No longer listed by the service', group: 'Records' },
];
const titles = [...new Set(views.map(({ group }) => group))];

/** Views of what is stale, duplicate or odd: each is a filter that can be changed further. */
export function HygieneMenu({
  filter,
  onFilter,
}: {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  useKey('computers.hygiene', () => setOpen(true));
  const groups: readonly MenuGroup[] = titles.map((title) => ({
    title,
    entries: views
      .filter(({ group }) => group === title)
      .map((view) => ({ id: view.filter, label: view.label, detail: view.filter, isChecked: view.filter === filter })),
  }));
  return <Menu label={t.assetHygiene} groups={groups} onAction={onFilter} isOpen={isOpen} onOpenChange={setOpen} />;
}
