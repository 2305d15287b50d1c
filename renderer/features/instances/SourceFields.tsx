import { TextArea } from '../../ui/Field.tsx';
import { FileLists } from './FileLists.tsx';
import styles from './form.module.css';
import type { ListDraft } from './list-draft.ts';
import { t } from './text.ts';

interface SourceFieldsProps {
  readonly list: ListDraft;
  readonly change: (next: Partial<ListDraft>) => void;
  readonly error: string | null;
}

/** Where values come from. */
export function SourceFields({ list, change, error }: SourceFieldsProps) {
  return (
    <>
      <div className={styles['pair']}>
        <TextArea
          label={t.pastedValues}
          value={list.text}
          onChange={(text) => change({ text })}
          mono
          rows={4}
          error={error === null ? null : t.giveLeastOne}
          description={t.onePerLineBegins}
        />
        <TextArea
          label={t.filesComputer}
          value={list.files}
          onChange={(files) => change({ files })}
          mono
          rows={4}
          description={t.pathsOnePer}
        />
      </div>
      {list.type === 'sha256' ? <FileLists list={list} change={change} /> : null}
    </>
  );
}
