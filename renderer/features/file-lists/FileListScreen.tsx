import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';

import type { FileListItemRow, FileListRow } from '#shared/contract/directory.ts';
import { CordonError, errorFromReport } from '#shared/contract/errors.ts';

import { useComputersCount } from '../../api/active.tsx';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ScreenBar, Tabs } from '../../ui/Toolbar.tsx';
import { AddDialog } from './AddDialog.tsx';
import { AgesTab } from './AgesTab.tsx';
import { CopyItemDialog } from './CopyItemDialog.tsx';
import { CoverageTab } from './CoverageTab.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import styles from './FileLists.module.css';
import { ItemsTab } from './ItemsTab.tsx';
import { ListBanner } from './ListStates.tsx';
import { ListBar } from './ListBar.tsx';
import { Receipts } from './Receipts.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import type { FileListSearch } from './search.ts';
import { t } from './text.ts';
import { questionOf } from './use-items.ts';
import { useFileLists, useReadItems, type FileListsCopy } from './use-lists.ts';

/** One file list: its hashes, and where it is enforced. */
export function FileListScreen() {
  const { guid } = useParams({ from: '/file-lists/$guid' });
  const copy = useFileLists();
  const list = copy.items?.find((each) => each.guid === guid.toLowerCase());
  return list === undefined ? <NoList copy={copy} /> : <OneList key={list.guid} list={list} copy={copy} />;
}

type Open = { readonly kind: 'remove' | 'copy'; readonly item: FileListItemRow } | { readonly kind: 'export' | 'note' };

function OneList({ list, copy }: { readonly list: FileListRow; readonly copy: FileListsCopy }) {
  const search = useSearch({ from: '/file-lists/$guid' });
  const navigate = useNavigate({ from: '/file-lists/$guid' });
  const change = (next: Partial<FileListSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const reading = useReadItems(list);
  const refreshButton = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const add = () => change({ act: 'add' });
  const isCoverage = search.view === 'coverage';
  const hasItems = search.view === undefined;
  const edit = () => void navigate({ to: '/file-lists/$guid/edit', params: { guid: list.guid }, search: {} });
  useKey('fileList.add', add);
  useKey('fileList.edit', edit);
  useKey('fileList.refresh', () => refreshButton.current?.focus());
  useKey('fileList.export', () => setOpen({ kind: 'export' }), list.itemsRead.at !== null);
  useKey('fileList.note', () => setOpen({ kind: 'note' }));
  useKey('fileList.coverage', () => change({ view: isCoverage ? undefined : 'coverage' }));
  useKey(
    'fileList.close',
    () => void navigate({ to: '/file-lists', search: {} }),
    search.item === undefined || !hasItems,
  );
  const computers = useComputersCount();
  const items = (
    <ItemsTab
      list={list}
      search={search}
      change={change}
      reading={reading}
      isBeginning={copy.state?.phase === 'loading'}
      onAdd={add}
      onRemove={(item) => setOpen({ kind: 'remove', item })}
      onCopyAs={(item) => setOpen({ kind: 'copy', item })}
    />
  );
  return (
    <Screen>
      <ListBar
        list={list}
        computers={computers}
        reading={reading}
        refreshButton={refreshButton}
        onAdd={add}
        onEdit={edit}
        onExport={() => setOpen({ kind: 'export' })}
      />
      <ListBanner list={list} reading={reading} />
      <Receipts list={list.guid} />
      <div className={styles['tabs']}>
        <Tabs
          label={t.viewsList}
          selected={search.view ?? 'hashes'}
          onSelect={(id) => change({ view: id === 'coverage' || id === 'ages' ? id : undefined })}
          tabs={[
            { id: 'hashes', title: 'Hashes', content: items },
            { id: 'coverage', title: 'Coverage', content: <CoverageTab list={list} /> },
            { id: 'ages', title: 'Ages', content: <AgesTab list={list} /> },
          ]}
        />
      </div>
      {search.act !== undefined ? (
        <AddDialog list={list.guid} hash="" onClose={() => change({ act: undefined })} />
      ) : null}
      <Dialogs list={list} open={open} search={search} onClose={() => setOpen(null)} />
    </Screen>
  );
}

interface DialogsProps {
  readonly list: FileListRow;
  readonly open: Open | null;
  readonly search: FileListSearch;
  readonly onClose: () => void;
}

function Dialogs({ list, open, search, onClose }: DialogsProps) {
  switch (open?.kind) {
    case undefined:
      return null;
    case 'remove':
      return <RemoveDialog list={list} item={open.item} onClose={onClose} />;
    case 'copy':
      return <CopyItemDialog item={open.item} list={list.guid} onClose={onClose} />;
    case 'export':
      return <ExportDialog list={list} question={questionOf(search)} onClose={onClose} />;
    case 'note':
      return <NoteDialog target={{ guid: list.guid, label: list.name }} onClose={onClose} />;
  }
}

/** The list is not among those that are known here: not yet, or not at all. */
function NoList({ copy: { items, state, error, retry } }: { readonly copy: FileListsCopy }) {
  const navigate = useNavigate();
  useKey('fileList.close', () => void navigate({ to: '/file-lists', search: {} }));
  if (error !== null && items === undefined)
    return <ErrorState error={error} title={t.couldNotLoadLocalData} onRetry={retry} />;
  const isBegun = state === undefined || state.phase === 'empty' || state.phase === 'loading';
  if (isBegun)
    return (
      <Screen>
        <ScreenBar within={{ list: 'File lists', href: '/file-lists' }} title={t.fileList} />
        <div className={styles['waiting']}>
          <SkeletonLines lines={8} label={t.loadingFile} />
        </div>
      </Screen>
    );
  if (items === undefined || (items.length === 0 && state.error !== null)) {
    const failure = state.error === null ? new CordonError('incomplete') : errorFromReport(state.error);
    return <ScreenErrorState title={t.couldNotLoadFile} error={failure} />;
  }
  return (
    <EmptyState
      title={t.listNotFound}
      action={<Button onPress={() => void navigate({ to: '/file-lists', search: {} })}>{t.showAllLists}</Button>}
    >
      {t.serviceNoList} <Link href="/file-lists">{t.allFileLists}</Link>.
    </EmptyState>
  );
}
