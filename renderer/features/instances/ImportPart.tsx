import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';

import { useApi } from '../../api/ApiProvider.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/Field.tsx';
import styles from './CertificateDialog.module.css';
import { t } from './text.ts';
import { useGuard } from './use-guard.ts';

/** A certificate of an authority that clients trust already. The key goes in here and never comes out. */
export function ImportPart() {
  const { client } = useApi();
  const guard = useGuard();
  const announce = useAnnounce();
  const [certificate, setCertificate] = useState('');
  const [key, setKey] = useState('');
  const [isDone, setDone] = useState(false);
  const field = guard.error?.details.field;
  const use = () =>
    guard.run(
      () => client.instances.certificate.import({ certificate, key }),
      () => {
        setCertificate('');
        setKey('');
        setDone(true);
        announce('The imported certificate is in use');
      },
    );
  const missing = certificate.trim() === '' || key.trim() === '' ? 'Give the certificate and its key.' : null;
  return (
    <div className={styles['part']}>
      <p>{t.pemServers}</p>
      <PemField
        label={t.certificate}
        value={certificate}
        onChange={setCertificate}
        error={field === 'certificate' ? (guard.error?.message ?? null) : null}
        placeholder={t.beginCertificate}
      />
      <PemField
        label={t.privateKey}
        value={key}
        onChange={setKey}
        error={field === 'key' ? (guard.error?.message ?? null) : null}
        placeholder={t.beginPrivateKey}
      />
      {guard.error === null || field === 'certificate' || field === 'key' ? null : (
        <Banner tone="bad">{guard.error.message}</Banner>
      )}
      {isDone && missing !== null ? <Banner>{t.importedCertificate}</Banner> : null}
      <div className={styles['actions']}>
        <Button tone="primary" onPress={use} reason={guard.isPending ? t.checking : missing}>
          {t.takeCertificate}
        </Button>
      </div>
    </div>
  );
}

interface PemFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | null;
  readonly placeholder: string;
}

function PemField({ label, value, onChange, error, placeholder }: PemFieldProps) {
  const read = async (files: FileList | null) => {
    const file = files?.item(0);
    if (file != null) onChange(await file.text());
  };
  return (
    <div className={styles['pem']}>
      <TextArea
        label={label}
        value={value}
        onChange={onChange}
        mono
        rows={4}
        error={error}
        placeholder={placeholder}
        autoComplete="off"
      />
      <FileTrigger onSelect={(files) => void read(files)}>
        <Button size="small" aria-label={t.fromAFile(label)}>
          {t.fromAFileMore}
        </Button>
      </FileTrigger>
    </div>
  );
}
