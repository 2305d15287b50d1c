import { useState } from 'react';

import { variableTypes } from '#shared/model/playbook.ts';

import { Button } from '../../../ui/Button.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Checkbox } from '../../../ui/Toggle.tsx';
import styles from '../playbooks.module.css';
import { kindTitles } from '../steps.ts';
import { t } from '../text.ts';
import {
  addStep,
  changeCommand,
  changeStep,
  changeVariable,
  removeStep,
  requestTemplates,
  resultName,
  type Draft,
  type NewStep,
} from './edit.ts';

interface FormProps {
  readonly draft: Draft;
  readonly onChange: (next: Draft) => void;
}

/** Of the document itself: its name, and the variables that a start gives and steps fill. */
export function PlaybookForm({ draft, onChange }: FormProps) {
  const [name, setName] = useState('');
  const variables = Object.entries(draft.playbook_variables ?? {}).filter(([key]) => key !== resultName);
  const key = `__${name.replaceAll(/[^\w-]/g, '_')}__`;
  return (
    <div className={styles['fields']}>
      <p className={styles['dim']}>{t.chooseStepToEdit}</p>
      <TextField label={t.name} value={draft.name} onChange={(text) => onChange({ ...draft, name: text })} />
      <TextArea
        label={t.description}
        rows={2}
        value={draft.description ?? ''}
        onChange={(description) => onChange({ ...draft, description })}
      />
      <h3>{t.variables}</h3>
      {variables.map(([one, variable]) => (
        <fieldset key={one} className={styles['variable']}>
          <legend>{one.replaceAll('__', '')}</legend>
          <Select
            label={t.type}
            value={variable.type}
            options={variableTypes.map((value): { value: string; label: string } => ({ value, label: value }))}
            onChange={(type) => onChange(changeVariable(draft, one, { ...variable, type }))}
          />
          <TextField
            label={t.description}
            value={variable.description ?? ''}
            onChange={(description) => onChange(changeVariable(draft, one, { ...variable, description }))}
          />
          <TextField
            label={t.value}
            value={variable.value ?? ''}
            onChange={(value) =>
              onChange(changeVariable(draft, one, { ...variable, value: value === '' ? null : value }))
            }
          />
          <div className={styles['row']}>
            <Checkbox
              isSelected={variable.external === true}
              onChange={(external) => onChange(changeVariable(draft, one, { ...variable, external }))}
            >
              {t.givenAtStart}
            </Checkbox>
            <Button size="small" onPress={() => onChange(changeVariable(draft, one, null))}>
              {t.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      <div className={styles['row']}>
        <TextField label={t.newVariable} value={name} onChange={setName} />
        <Button
          onPress={() => {
            onChange(changeVariable(draft, key, { type: 'string', external: true }));
            setName('');
          }}
          reason={name.trim() === '' ? t.missing(t.name) : null}
        >
          {t.add}
        </Button>
      </div>
    </div>
  );
}

interface StepFormProps extends FormProps {
  readonly id: string;
  readonly onChoose: (step: string | null) => void;
}

export function StepForm(props: StepFormProps) {
  const { draft, id, onChange, onChoose } = props;
  const step = draft.workflow[id];
  if (step === undefined) return null;
  const isEdge = step.type === 'start' || step.type === 'end';
  const isManual = step.commands?.[0]?.type === 'manual';
  return (
    <div className={styles['fields']}>
      <div className={styles['row']}>
        <strong>{kindTitles[isManual ? 'manual' : step.type]}</strong>
        <span className={styles['spring']} />
        <Button size="small" onPress={() => onChoose(null)}>
          {t.playbook}
        </Button>
      </div>
      {isEdge ? null : (
        <TextField
          label={t.name}
          value={step.name ?? ''}
          onChange={(name) => onChange(changeStep(draft, id, { name }))}
        />
      )}
      {step.condition === undefined ? null : (
        <TextField
          label={t.condition}
          mono
          value={step.condition}
          onChange={(condition) =>
            onChange({ ...draft, workflow: { ...draft.workflow, [id]: { ...step, condition } } })
          }
        />
      )}
      {step.type === 'action' ? <ActionFields {...props} isManual={isManual} /> : null}
      {isEdge ? null : <Ways {...props} />}
      {step.type === 'end' ? null : <AddStep {...props} />}
      {isEdge ? null : (
        <Button
          onPress={() => {
            onChange(removeStep(draft, id));
            onChoose(null);
          }}
        >
          {t.removeStep}
        </Button>
      )}
    </div>
  );
}

function ActionFields({ draft, id, onChange, isManual }: StepFormProps & { readonly isManual: boolean }) {
  const step = draft.workflow[id];
  const [command] = step?.commands ?? [];
  const names = Object.keys(draft.playbook_variables ?? {});
  const out = step?.out_args?.[0] ?? '';
  const line = (command?.command ?? '').replace(/ HTTP\/1\.1$/, '');
  return (
    <>
      {isManual ? null : (
        <Select
          label={t.template}
          value={requestTemplates.some(([one]) => one === line) ? line : null}
          options={requestTemplates.map(([value]): { value: string; label: string } => ({ value, label: value }))}
          onChange={(value) =>
            onChange(
              changeCommand(draft, id, {
                command: `${value} HTTP/1.1`,
                content: requestTemplates.find(([one]) => one === value)?.[1] ?? '',
              }),
            )
          }
        />
      )}
      <TextArea
        label={isManual ? t.question : t.request}
        rows={2}
        mono={!isManual}
        value={isManual ? (command?.command ?? '') : line}
        onChange={(text) => onChange(changeCommand(draft, id, { command: isManual ? text : `${text} HTTP/1.1` }))}
      />
      {isManual ? null : (
        <TextArea
          label={t.content}
          rows={2}
          mono
          value={command?.content ?? ''}
          onChange={(content) => onChange(changeCommand(draft, id, { content }))}
        />
      )}
      <Select
        label={t.resultInto}
        value={out}
        options={[
          { value: '', label: t.none },
          ...names.map((value) => ({ value, label: value.replaceAll('__', '') })),
        ]}
        onChange={(value) =>
          onChange(changeStep(draft, id, { out_args: value === '' ? undefined : [value] } as object))
        }
      />
    </>
  );
}

function Ways({ draft, id, onChange }: StepFormProps) {
  const step = draft.workflow[id];
  const others = Object.entries(draft.workflow).filter(([one, { type }]) => one !== id && type !== 'start');
  const options = others.map(([value, { name, type }]) => ({
    value,
    label: name ?? `${kindTitles[type]} ${value.slice(-4)}`,
  }));
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : String(ms / 1000));
  const msOf = (text: string): number | undefined =>
    /^\d+$/.test(text) && text !== '0' ? Number(text) * 1000 : undefined;
  return (
    <>
      <Select
        label={t.onFailureGoTo}
        value={step?.on_failure ?? ''}
        options={[{ value: '', label: t.endRun }, ...options]}
        onChange={(value) => onChange(changeStep(draft, id, { on_failure: value }))}
      />
      <div className={styles['row']}>
        <TextField
          label={t.delaySeconds}
          value={seconds(step?.delay)}
          onChange={(text) => onChange(changeStep(draft, id, { delay: msOf(text) } as object))}
        />
        <TextField
          label={t.timeoutSeconds}
          value={seconds(step?.timeout)}
          onChange={(text) => onChange(changeStep(draft, id, { timeout: msOf(text) } as object))}
        />
      </div>
    </>
  );
}

const newSteps: readonly { readonly value: NewStep; readonly label: string }[] = [
  { value: 'request', label: t.request },
  { value: 'question', label: t.question },
  { value: 'if-condition', label: t.condition },
  { value: 'while-condition', label: t.loop },
  { value: 'parallel', label: t.parallel },
];

function AddStep({ draft, id, onChange, onChoose }: StepFormProps) {
  const [kind, setKind] = useState<NewStep>('request');
  const [branch, setBranch] = useState('');
  const step = draft.workflow[id];
  const inside = [...(step?.next_steps ?? []), step?.on_true, step?.on_false].filter((one) => one !== undefined);
  const add = (): void => {
    const label = newSteps.find(({ value }) => value === kind)?.label ?? '';
    const next = branch === '' ? addStep(draft, id, kind, label) : intoBranch(draft, id, branch, kind, label);
    onChange(next.draft);
    onChoose(next.id);
  };
  const places = [
    { value: '', label: t.afterStep },
    ...inside.map((value, index) => ({ value, label: t.inBranch(index + 1) })),
  ];
  return (
    <div className={styles['row']}>
      <Select label={t.newStep} value={kind} options={newSteps} onChange={setKind} />
      {inside.length === 0 ? null : <Select label={t.place} value={branch} options={places} onChange={setBranch} />}
      <Button onPress={add}>{t.addStep}</Button>
    </div>
  );
}

/** At the beginning of a branch: a stand-in leads there, and what it leads to then is the first of the branch. */
function intoBranch(draft: Draft, id: string, first: string, kind: NewStep, name: string) {
  const stand = 'start--stand-in';
  const added = addStep(
    { ...draft, workflow: { ...draft.workflow, [stand]: { type: 'start', on_completion: first } } },
    stand,
    kind,
    name,
  );
  const { [stand]: _gone, ...workflow } = added.draft.workflow;
  const step = workflow[id];
  if (step === undefined) return { draft, id };
  const lead = (to: string | undefined) => (to === first ? added.id : to);
  const moved = {
    ...step,
    ...(step.on_true !== undefined && { on_true: lead(step.on_true) }),
    ...(step.on_false !== undefined && { on_false: lead(step.on_false) }),
    ...(step.next_steps !== undefined && { next_steps: step.next_steps.map((one) => lead(one) ?? one) }),
  } as typeof step;
  return { draft: { ...added.draft, workflow: { ...workflow, [id]: moved } }, id: added.id };
}
