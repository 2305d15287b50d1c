import { useRef, useState } from 'react';

import { formOf } from '#shared/text/numbers.ts';

import { Button } from '../../ui/Button.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Checkbox, RadioGroup } from '../../ui/Toggle.tsx';
import styles from './connections.module.css';
import { countCertificates, type Draft, type ProblemField, type ProxyKind } from './draft.ts';
import { t } from './text.ts';

interface NetworkFieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly errorOf: (field: ProblemField) => string | null;
  /** The proxy whose user name and password are stored; `null` when there are none. */
  readonly loginFor: string | null;
}

const proxyKinds: readonly { readonly value: ProxyKind; readonly label: string }[] = [
  { value: 'system', label: 'Follow the system' },
  { value: 'direct', label: 'None' },
  { value: 'own', label: 'This one' },
];

/** Proxy and authorities of this connection alone; folded away, because most need neither. */
export function NetworkFields(props: NetworkFieldsProps) {
  const { draft, errorOf } = props;
  const isFaulty = (['proxy', 'proxyLogin', 'ca'] as const).some((field) => errorOf(field) !== null);
  const [isOpen, setOpen] = useState(() => draft.proxyKind !== 'system' || draft.ca !== '');
  return (
    <Disclosure title={t.network} summary={summaryOf(draft)} isOpen={isOpen || isFaulty} onToggle={setOpen}>
      <div className={styles['form']}>
        <ProxyFields {...props} />
        <AuthorityField {...props} />
      </div>
    </Disclosure>
  );
}

function summaryOf({ proxyKind, proxy, ca }: Draft): string {
  const way = proxyKind === 'system' ? 'proxy from the system' : proxyKind === 'direct' ? 'no proxy' : `proxy ${proxy}`;
  const count = countCertificates(ca);
  return count === 0 ? way : `${way} · ${count} own ${formOf(count, ['authority', 'authorities'])}`;
}

function ProxyFields({ draft, onChange, errorOf, loginFor }: NetworkFieldsProps) {
  const isStored = loginFor !== null && draft.proxy.trim() === loginFor;
  return (
    <>
      <RadioGroup
        label={t.proxy}
        orientation="horizontal"
        value={draft.proxyKind}
        onChange={(proxyKind) => onChange({ ...draft, proxyKind })}
        options={proxyKinds}
      />
      {draft.proxyKind === 'own' ? (
        <>
          <TextField
            label={t.addressProxy}
            value={draft.proxy}
            onChange={(proxy) => onChange({ ...draft, proxy })}
            isRequired
            mono
            autoComplete="off"
            placeholder={t.httpProxyExample}
            error={errorOf('proxy')}
          />
          <div className={styles['halves']}>
            <TextField
              label={t.userNameProxy}
              value={draft.proxyUser}
              onChange={(proxyUser) => onChange({ ...draft, proxyUser })}
              autoComplete="off"
              error={errorOf('proxyLogin')}
              description={isStored ? t.userNamePassword : t.leaveBothEmpty}
            />
            <TextField
              label={t.passwordProxy}
              type="password"
              value={draft.proxyPassword}
              onChange={(proxyPassword) => onChange({ ...draft, proxyPassword })}
              autoComplete="off"
              description={t.keptEncryptedComputer}
            />
          </div>
          {isStored ? (
            <Checkbox isSelected={draft.forgetLogin} onChange={(forgetLogin) => onChange({ ...draft, forgetLogin })}>
              {t.forgetStored}
            </Checkbox>
          ) : null}
        </>
      ) : null}
    </>
  );
}

/** A bundle of a whole company is smaller (bytes). */
const largest = 262_144;

function AuthorityField({ draft, onChange, errorOf }: NetworkFieldsProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const set = (ca: string) => {
    setProblem(null);
    onChange({ ...draft, ca });
  };
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > largest) setProblem('The file is too large for certificates in PEM.');
    else set(await file.text());
  };
  return (
    <>
      <TextArea
        label={t.certificateAuthoritiesPem}
        value={draft.ca}
        onChange={set}
        rows={3}
        mono
        placeholder={t.beginCertificate}
        error={problem ?? errorOf('ca')}
        description={t.certificatesConnection}
      />
      <input
        ref={picker}
        type="file"
        accept=".pem,.crt,.cer"
        hidden
        aria-label={t.fileCertificate}
        onChange={(event) => void read(event.target.files?.[0])}
      />
      <div className={styles['cardActions']}>
        <Button onPress={() => picker.current?.click()}>{t.readAFile}</Button>
        {draft.ca === '' ? null : <Button onPress={() => set('')}>{t.removeCertificates}</Button>}
      </div>
    </>
  );
}
