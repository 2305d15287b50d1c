import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Tag } from '../../ui/Tag.tsx';
import styles from './connections.module.css';
import { t } from './text.ts';

const outcomes = {
  added: { tone: 'ok', word: '✓ added' },
  there: { tone: 'plain', word: '= there already' },
  failed: { tone: 'bad', word: '✕ not added' },
} as const;

/** A file with keys: its passphrase opens all of them at once. A wrong one changes nothing and can be typed again. */
export function SealedImport({ text }: { readonly text: string }) {
  const { client } = useApi();
  const [seal, setSeal] = useState('');
  const opening = useMutation({
    gcTime: 0,
    mutationFn: () => client.local.importSealed({ text, seal }),
    onSuccess: () => setSeal(''),
  });
  const reason = opening.isPending
    ? 'The file is being opened.'
    : seal === ''
      ? 'Type the passphrase of the file first.'
      : null;
  if (opening.data !== undefined)
    return (
      <ul className={styles['edit']} aria-label={t.importedConnections}>
        {opening.data.map(({ name, outcome, message }) => (
          <li key={name} className={styles['importLine']}>
            <div className={styles['cardHead']}>
              <h3 className={styles['cardTitle']}>{name}</h3>
              <Tag tone={outcomes[outcome].tone}>{outcomes[outcome].word}</Tag>
            </div>
            <p>{message}</p>
          </li>
        ))}
        {opening.data.length === 0 ? <Banner>{t.fileHoldsNo}</Banner> : null}
      </ul>
    );
  return (
    <>
      <div className={styles['importKey']}>
        <TextField
          label={t.passphraseFile}
          type="password"
          value={seal}
          onChange={setSeal}
          autoComplete="off"
          autoFocus
        />
        <Button tone="primary" reason={reason} onPress={() => opening.mutate()}>
          {t.importWithKeys}
        </Button>
      </div>
      {opening.error === null ? null : <Banner tone="bad">{asCordonError(opening.error).message}</Banner>}
    </>
  );
}
