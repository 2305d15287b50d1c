import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { shortestPassphrase } from '#shared/model/connections-file.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { saveText } from '../../ui/save.ts';
import styles from './Settings.module.css';
import { t } from './text.ts';

const empty = { seal: '', again: '', reason: '', passphrase: '' };
type Typed = typeof empty;

/** All connections with their keys, in a file that its passphrase alone opens. The reason is in the log. */
export function SealDialog({ onClose }: { readonly onClose: () => void }) {
  const { client, queries } = useApi();
  const asks = useQuery(queries.app.info.queryOptions()).data?.secretStore.asks ?? 'nothing';
  const [typed, setTyped] = useState(empty);
  const [tried, setTried] = useState(false);
  const sealing = useMutation({
    gcTime: 0,
    mutationFn: ({ seal, reason, passphrase }: Typed) =>
      client.local.exportSealed({ seal, reason, ...(asks === 'passphrase' ? { passphrase } : {}) }),
    onSuccess: (file) => {
      saveText(file);
      onClose();
    },
  });
  const problems = problemsOf(typed, asks === 'passphrase');
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
    isRequired: true,
    error: tried ? (problems[name] ?? null) : null,
  });
  const send = () => {
    setTried(true);
    if (Object.keys(problems).length === 0) sealing.mutate(typed);
  };
  return (
    <Dialog
      title={t.exportConnectionsKeys}
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button tone="hold" onPress={send} reason={sealing.isPending ? t.encryptingTheFile : null}>
            {t.exportKeys}
          </Button>
        </>
      }
    >
      <div className={styles['sealing']}>
        <p>{t.anyoneFile}</p>
        <TextField label={t.passphraseFile} type="password" autoFocus autoComplete="new-password" {...field('seal')} />
        <TextField label={t.repeatPassphrase} type="password" autoComplete="new-password" {...field('again')} />
        <TextField label={t.reason} maxLength={255} description={t.whoExported} {...field('reason')} />
        {asks === 'passphrase' ? (
          <TextField label={t.passphraseProfile} type="password" autoComplete="off" {...field('passphrase')} />
        ) : null}
        {asks === 'prompt' ? <p>{t.systemAsksWhoYouAre}</p> : null}
        {sealing.error === null ? null : <Banner tone="bad">{asCordonError(sealing.error).message}</Banner>}
      </div>
    </Dialog>
  );
}

function problemsOf({ seal, again, reason, passphrase }: Typed, needsProfile: boolean): Partial<Typed> {
  return {
    ...(seal.length < shortestPassphrase && { seal: `It needs at least ${shortestPassphrase} characters.` }),
    ...(seal !== again && { again: 'The two are not the same.' }),
    ...(reason.trim() === '' && { reason: 'Say why: the log keeps the reason, never a key.' }),
    ...(needsProfile && passphrase === '' && { passphrase: 'The keys are kept with it.' }),
  };
}
