import { useQuery } from '@tanstack/react-query';
import { useState, type Ref } from 'react';

import { managedSentence } from '#shared/model/managed.ts';
import {
  connectionColours,
  opensProduction,
  serverPresets,
  type Connection,
  type ConnectionColour,
} from '#shared/model/connection.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { useManaged } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { TextField } from '../../ui/Field.tsx';
import { ComboBox, Select } from '../../ui/Select.tsx';
import { Held } from '../../ui/Held.tsx';
import { Checkbox, RadioGroup } from '../../ui/Toggle.tsx';
import styles from './connections.module.css';
import type { Draft, Problem, ProblemField } from './draft.ts';
import { NetworkFields } from './NetworkFields.tsx';
import { t } from './text.ts';

interface ConnectionFormProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly problem: Problem | null;
  /** Its key and its proxy's credentials stay when their fields are left empty; `null` for a new one. */
  readonly stored: Connection | null;
  readonly focus: 'name' | 'apiKey';
  /** Where the form looks for the field that was refused. */
  readonly place: Ref<HTMLDivElement>;
}

/** The fields of a connection. The key goes in here and is never shown again. */
export function ConnectionForm({ draft, onChange, problem, stored, focus, place }: ConnectionFormProps) {
  const held = useManaged().connections;
  const canKeep = useQuery(useApi().queries.app.info.queryOptions()).data?.secretStore.available !== false;
  const hasKey = stored !== null;
  const [address, setAddress] = useState(() => draft.url);
  const set = <K extends keyof Draft>(field: K, value: Draft[K]) => onChange({ ...draft, [field]: value });
  const errorOf = (field: ProblemField) => (problem?.field === field ? problem.message : null);
  const setUrl = (url: string) => {
    setAddress(url);
    set('url', url);
  };
  return (
    <div ref={place} className={styles['form']}>
      <div className={styles['pair']}>
        <TextField
          label={t.name}
          value={draft.name}
          onChange={(name) => set('name', name)}
          isRequired
          autoFocus={focus === 'name'}
          maxLength={60}
          error={errorOf('name')}
          placeholder={t.acmeEu}
        />
        <Colour name={draft.name} value={draft.colour} onChange={(colour) => set('colour', colour)} />
      </div>
      <ComboBox
        label={t.serverUrl}
        isRequired
        input={address}
        onInput={setUrl}
        onChoose={setUrl}
        options={serverPresets
          .filter(({ url }) => held.servers?.includes(url) ?? true)
          .map(({ url, title, region }) => ({
            value: url,
            label: url,
            detail: `${title} (${region})`,
          }))}
        placeholder={t.https}
        error={errorOf('url')}
        description={held.servers === null ? t.chooseRegion : `${managedSentence}: ${held.servers.join(', ')}.`}
      />
      <TextField
        label={t.clientId}
        value={draft.clientId}
        onChange={(clientId) => set('clientId', clientId)}
        isRequired
        mono
        autoComplete="off"
        error={errorOf('clientId')}
        description={t.named3rdParty}
      />
      <TextField
        label={t.apiKey}
        type="password"
        value={draft.apiKey}
        onChange={(apiKey) => set('apiKey', apiKey)}
        isRequired={!hasKey}
        autoFocus={focus === 'apiKey'}
        mono
        autoComplete="off"
        error={errorOf('apiKey')}
        description={
          hasKey ? (canKeep ? t.keyStoredType : t.storedKeyCannot) : canKeep ? t.keptEncrypted : t.keyTestedBut
        }
      />
      <RadioGroup
        label={t.environment}
        orientation="horizontal"
        value={draft.environment}
        onChange={(environment) => set('environment', environment)}
        options={[
          { value: 'production', label: 'Production' },
          { value: 'test', label: 'Test' },
          { value: 'lab', label: 'Lab' },
        ]}
      />
      <Held by={held.readOnly}>
        <Checkbox isSelected={draft.readOnly || held.readOnly} onChange={(readOnly) => set('readOnly', readOnly)}>
          {t.readOnlyNothing}
        </Checkbox>
      </Held>
      {stored !== null && opensProduction(stored, draft) ? (
        <>
          <Banner tone="warning">{t.opensProduction}</Banner>
          <TextField
            label={t.typeToConfirm(stored.name)}
            value={draft.confirm}
            onChange={(confirm) => set('confirm', confirm)}
            isRequired
            autoComplete="off"
            error={errorOf('confirm')}
          />
          <TextField
            label={t.whyReadWrite}
            value={draft.reason}
            onChange={(reason) => set('reason', reason)}
            isRequired
            maxLength={255}
            error={errorOf('reason')}
          />
        </>
      ) : null}
      <Held by={held.verified}>
        <Checkbox isSelected={draft.insecure} onChange={(insecure) => set('insecure', insecure)}>
          {t.trustAnyCertificate}
        </Checkbox>
      </Held>
      {draft.insecure ? <Banner tone="bad">{t.anyoneNetwork}</Banner> : null}
      <NetworkFields
        draft={draft}
        onChange={onChange}
        errorOf={errorOf}
        loginFor={stored?.hasProxyLogin === true ? stored.proxy : null}
      />
    </div>
  );
}

function Colour({
  name,
  value,
  onChange,
}: {
  readonly name: string;
  readonly value: ConnectionColour;
  readonly onChange: (colour: ConnectionColour) => void;
}) {
  return (
    <div>
      <Select
        label={t.windowColour}
        value={value}
        onChange={onChange}
        options={connectionColours.map((colour) => ({
          value: colour,
          label: colour,
          swatch: `var(--connection-${colour})`,
        }))}
      />
      <p className={styles['preview']} style={{ background: `var(--connection-${value})` }} title={t.textContrast}>
        {name.trim() === '' ? t.acmeEu : name}
      </p>
    </div>
  );
}
