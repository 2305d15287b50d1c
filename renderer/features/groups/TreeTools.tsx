import type { Ref } from 'react';

import { Button } from '../../ui/Button.tsx';
import styles from './GroupsScreen.module.css';
import { SearchField } from './SearchField.tsx';

interface TreeToolsProps {
  readonly search: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
  readonly onLeave: () => void;
  readonly onFoldAll: (isOpen: boolean) => void;
  readonly searchBox: Ref<HTMLInputElement>;
}

/** The line above the tree: search, and opening and closing all of it. */
export function TreeTools({ search, onSearch, onLeave, onFoldAll, searchBox }: TreeToolsProps) {
  const reason = (search ?? '').trim() === '' ? null : 'A search shows what it finds, all open.';
  return (
    <div className={styles['searchLine']}>
      <SearchField
        label="Search the groups"
        placeholder="Part of a name, description or GUID"
        value={search ?? ''}
        onChange={(text) => onSearch(text === '' ? undefined : text)}
        onLeave={onLeave}
        inputRef={searchBox}
      />
      <Button size="small" onPress={() => onFoldAll(true)} reason={reason}>
        Open all
      </Button>
      <Button size="small" onPress={() => onFoldAll(false)} reason={reason}>
        Close all
      </Button>
      <span className={styles['hint']}>numbers: of its own / with those below</span>
    </div>
  );
}
