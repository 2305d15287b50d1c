import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, type ReactNode } from 'react';

import type { FileListRow } from '#shared/contract/directory.ts';
import { errorFromReport, type ErrorReport } from '#shared/contract/errors.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useActiveConnection, useComputersCount, useWriteRefusal } from '../../api/active.tsx';
import { DirectoryBanner } from '../../commands/directory/DirectoryBanner.tsx';
import { DirectoryBar } from '../../commands/directory/DirectoryBar.tsx';
import { refreshPrice } from '../../commands/directory/directory-words.ts';
import { useDirectoryRefresh, type DirectoryRefresh } from '../../commands/directory/use-directory.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { WebConsole } from '../../ui/WebConsole.tsx';
import { AddDialog } from './AddDialog.tsx';
import styles from './FileLists.module.css';
import { ListTable } from './ListTable.tsx';
import { Receipts } from './Receipts.tsx';
import { SearchBox } from './SearchBox.tsx';
import { t } from './text.ts';
import { useFileLists, type FileListsCopy } from './use-lists.ts';
import { kindWords, shownKinds } from './words.ts';

/** All file lists, the two kinds side by side. */
export function FileListsScreen() {
  const search = useSearch({ from: '/file-lists' });
  const navigate = useNavigate({ from: '/file-lists' });
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const copy = useFileLists();
  const reading = useDirectoryRefresh();
  const lock = useWriteRefusal();
  const box = useRef<HTMLInputElement>(null);
  const refreshButton = useRef<HTMLButtonElement>(null);
  const current = useRef<string | undefined>(undefined);
  const add = () => change({ act: 'add' });
  useKey('list.filter', () => box.current?.focus());
  useKey('fileLists.add', add);
  useKey('fileLists.refresh', () => refreshButton.current?.focus());
  const lists = copy.items ?? [];
  const name = search.name ?? '';
  const shown = useMemo(() => (copy.items ?? []).filter((list) => fits(list, name)), [copy.items, name]);
  return (
    <Screen>
      <DirectoryBar
        title={t.fileLists}
        state={copy.state}
        count={lists.length === 0 ? null : <span>{t.lists(formatCount(lists.length))}</span>}
        details={{ read: lists.filter(({ policies }) => policies !== null).length, of: lists.length }}
        reading={reading}
        refreshButton={refreshButton}
      >
        <Button onPress={add} lock={lock} aria-haspopup="dialog">
          {t.addAHash} <KeyCap keys="a" />
        </Button>
      </DirectoryBar>
      <div className={styles['tools']}>
        <SearchBox
          label={t.filterTheLists}
          placeholder={t.partName}
          value={name}
          onChange={(text) => change({ name: text === '' ? undefined : text })}
          inputRef={box}
        />
      </div>
      <DirectoryBanner
        state={copy.state}
        what={t.fileListsInline}
        isEmpty={lists.length === 0}
        onRefresh={reading.refresh}
      />
      <Receipts />
      <Body
        copy={copy}
        reading={reading}
        shown={shown}
        name={name}
        onShowAll={() => change({ name: undefined })}
        onCursor={(list) => {
          current.current = list?.guid;
        }}
      />
      {search.act !== undefined ? (
        <AddDialog
          blocks={search.act === 'block'}
          list={current.current ?? null}
          hash=""
          onClose={() => change({ act: undefined })}
        />
      ) : null}
    </Screen>
  );
}

function fits(list: FileListRow, name: string): boolean {
  return list.name.toLowerCase().includes(name.trim().toLowerCase());
}

interface BodyProps {
  readonly copy: FileListsCopy;
  readonly reading: DirectoryRefresh;
  readonly shown: readonly FileListRow[];
  readonly name: string;
  readonly onShowAll: () => void;
  readonly onCursor: (list: FileListRow | undefined) => void;
}

function Body({ copy, reading, shown, name, onShowAll, onCursor }: BodyProps) {
  const { items, state, error, retry } = copy;
  const navigate = useNavigate();
  const computers = useComputersCount();
  if (error !== null && items === undefined)
    return <ErrorState error={error} title={t.couldNotLoadLocalData} onRetry={retry} />;
  const isBegun = state !== undefined && (state.phase === 'empty' || state.phase === 'loading');
  const isWaiting = items === undefined || (items.length === 0 && (isBegun || reading.isRefreshing));
  if (!isWaiting && items.length === 0) return <Nothing copy={copy} reading={reading} />;
  const others = [...new Set(shown.map(({ type }) => type))].filter(
    (type) => !shownKinds.some((kind) => kind === type),
  );
  return (
    <div className={styles['kinds']}>
      {[...shownKinds, ...others].map((kind) => (
        <ListTable
          key={kind}
          title={kindWords(kind).title}
          lists={shown.filter(({ type }) => type === kind)}
          computers={computers}
          isWaiting={isWaiting}
          onOpen={({ guid }) => void navigate({ to: '/file-lists/$guid', params: { guid }, search: {} })}
          onCursor={onCursor}
          empty={
            name === '' || !items?.some(({ type }) => type === kind) ? (
              <NoneOfKind error={state?.error ?? null} reading={reading} />
            ) : (
              <EmptyState title={t.noListMatches} action={<Button onPress={onShowAll}>{t.showAll}</Button>}>
                {t.noListKindName(name)}
              </EmptyState>
            )
          }
        />
      ))}
    </div>
  );
}

/** A kind whose listing failed may well have lists. */
function NoneOfKind({ error, reading }: { readonly error: ErrorReport | null; readonly reading: DirectoryRefresh }) {
  if (error !== null)
    return <ScreenErrorState error={errorFromReport(error)} title={t.noListKind} onRetry={() => reading.refresh()} />;
  return (
    <EmptyState title={t.noListOfThisKind}>
      <MadeElsewhere />
    </EmptyState>
  );
}

function MadeElsewhere(): ReactNode {
  const { url } = useActiveConnection();
  return (
    <>
      {t.createLists}{' '}
      <WebConsole server={url} without={null}>
        {t.open}
      </WebConsole>
    </>
  );
}

function Nothing({ copy: { state }, reading }: { readonly copy: FileListsCopy; readonly reading: DirectoryRefresh }) {
  const read = () => reading.refresh();
  if (state?.error != null)
    return <ScreenErrorState error={errorFromReport(state.error)} title={t.couldNotLoadFile} onRetry={read} />;
  return (
    <EmptyState
      title={state?.phase === 'empty' ? t.fileListsNot : t.noFileLists}
      action={<Button onPress={read}>{t.refreshFor(refreshPrice(state, false))}</Button>}
    >
      <MadeElsewhere /> {t.groupsPolicies} <Link href="/computers">{t.computersInline}</Link> {t.nameThem}
    </EmptyState>
  );
}
