import { useConnections } from '../../api/hooks.ts';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import type { IndicatorDraft, WebhookDraft } from './builtin-draft.ts';
import { errorAt, type PartProps } from './fields.tsx';
import styles from './form.module.css';
import { SourceFields } from './SourceFields.tsx';
import { t } from './text.ts';

/** Lists as indicators for threat intelligence platforms. */
export function IndicatorExport({ draft, set, problem }: PartProps) {
  const { indicators } = draft;
  const change = (next: Partial<IndicatorDraft>) => set({ indicators: { ...indicators, ...next } });
  const at = (field: string) => errorAt(problem, `program.builtin.${field}`);
  return (
    <>
      <div className={styles['pair']}>
        <TextField
          label={t.titleOfServer}
          value={indicators.title}
          onChange={(title) => change({ title })}
          error={at('title')}
          description={t.clientsSeeTitle}
        />
        <TextField
          label={t.collection}
          value={indicators.name}
          onChange={(name) => change({ name })}
          mono
          error={at('collections.0.name')}
          description={t.partOfTaxiiAddress}
        />
      </div>
      <SourceFields
        list={indicators.list}
        change={(next) => change({ list: { ...indicators.list, ...next } })}
        error={at('collections.0.sources')}
      />
      <div className={styles['pair']}>
        <TextField
          label={t.rebuiltEverySeconds}
          value={indicators.refreshS}
          onChange={(refreshS) => change({ refreshS })}
          error={at('refreshS')}
        />
        <TextField
          label={t.objectsPerAnswer}
          value={indicators.pageSize}
          onChange={(pageSize) => change({ pageSize })}
          error={at('pageSize')}
        />
      </div>
      {indicators.further.length === 0 ? null : (
        <p className={styles['note']}>{t.furtherCollections(indicators.further.map(({ name }) => name).join(', '))}</p>
      )}
    </>
  );
}

/** What a signed request may do. */
export function WebhookIn({ draft, set, problem }: PartProps) {
  const connections = useConnections() ?? [];
  const { webhook } = draft;
  const change = (next: Partial<WebhookDraft>) => set({ webhook: { ...webhook, ...next } });
  const missing = errorAt(problem, 'program.builtin.connection');
  return (
    <>
      <div className={styles['pair']}>
        <Select
          label={t.connection}
          value={webhook.connection === '' ? null : webhook.connection}
          onChange={(connection) => change({ connection })}
          options={connections.map(({ id, name }) => ({ value: id, label: name }))}
          placeholder={t.chooseAConnection}
          description={missing ?? t.requestsWorkOn}
        />
        <TextArea
          label={t.playbooksAllowed}
          value={webhook.playbooks}
          onChange={(playbooks) => change({ playbooks })}
          mono
          rows={2}
          description={t.playbooksOnePer}
        />
      </div>
      <div className={styles['checks']}>
        <Checkbox isSelected={webhook.notes} onChange={(notes) => change({ notes })}>
          {t.takeNotes}
        </Checkbox>
        <Checkbox isSelected={webhook.questions} onChange={(questions) => change({ questions })}>
          {t.answerWhoHas}
        </Checkbox>
        <Checkbox isSelected={webhook.proposals} onChange={(proposals) => change({ proposals })}>
          {t.takeProposals}
        </Checkbox>
      </div>
      <p className={styles['note']}>{t.webhookNeedsSignature}</p>
    </>
  );
}
