import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';

import type { PlaybookVerdict } from '#shared/model/playbook.ts';

import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/EmptyState.tsx';
import { TextArea } from '../../../ui/Field.tsx';
import { Screen, ScreenBody } from '../../../ui/Screen.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { ScreenBar } from '../../../ui/Toolbar.tsx';
import { LazyGraph } from '../LazyGraph.tsx';
import styles from '../playbooks.module.css';
import { t } from '../text.ts';
import { copyOf, emptyDraft, type Draft } from './edit.ts';
import { PlaybookForm, StepForm } from './Forms.tsx';

/** A document as forms, as a picture and as JSON, all of which are the same draft. */
export function EditorScreen() {
  const { playbook } = useParams({ from: '/playbooks/document/$playbook' });
  const isNew = playbook === 'new';
  const { queries } = useApi();
  const { data, error, refetch } = useQuery({
    ...queries.playbooks.get.queryOptions({ input: { playbook } }),
    enabled: !isNew,
    // What somebody writes must not be taken away by a reading.
    staleTime: Infinity,
  });
  const [empty] = useState(() => emptyDraft(t.newPlaybookName, new Date().toISOString()));
  if (isNew) return <Editor first={empty} isOwn />;
  if (error !== null)
    return <ErrorState error={asCordonError(error)} title={t.couldNotLoadPlaybooks} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonLines lines={8} label={t.playbooks} />;
  // Checked when it was stored.
  const document = data.document as unknown as Draft;
  return <Editor key={data.digest} first={document} isOwn={data.origin === 'own'} />;
}

function Editor({ first, isOwn }: { readonly first: Draft; readonly isOwn: boolean }) {
  const { client, queries, cache } = useApi();
  const navigate = useNavigate();
  const { draft, change, undo, redo, isChanged } = useHistory(first);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isJson, setJson] = useState(false);
  const verdict = useVerdict(draft);
  const save = useMutation({
    mutationFn: async () => {
      const now = new Date().toISOString();
      const own = isOwn ? { ...draft, modified: now } : copyOf(draft, t.copyOf(draft.name), now);
      return await client.playbooks.import({ text: JSON.stringify(own) });
    },
    onSuccess: ({ id }) => {
      void cache.invalidateQueries({ queryKey: queries.playbooks.key() });
      void navigate({ to: '/playbooks/document/$playbook', params: { playbook: id } });
    },
  });
  const marks = useMemo(
    () =>
      new Map(
        (verdict?.issues ?? []).flatMap(({ step, level, message }) =>
          step === null || level === 'portability' || level === 'warning'
            ? []
            : [[step, { mark: 'wrong', words: message }]],
        ),
      ) as Parameters<typeof LazyGraph>[0]['marks'],
    [verdict],
  );
  const step = chosen === null ? undefined : draft.workflow[chosen];
  return (
    <Screen>
      <ScreenBar within={{ list: t.playbooks, href: '/playbooks' }} title={draft.name}>
        {verdict === null ? null : <Badges verdict={verdict} />}
        <Button onPress={undo ?? nothing} reason={undo === null ? t.nothingToUndo : null}>
          {t.undo}
        </Button>
        <Button onPress={redo ?? nothing} reason={redo === null ? t.nothingToRedo : null}>
          {t.redo}
        </Button>
        <Button
          tone="primary"
          onPress={() => save.mutate()}
          reason={verdict?.valid === false ? t.correctErrors : isChanged || !isOwn ? null : t.noChanges}
        >
          {isOwn ? t.saveVersion : t.saveCopy}
        </Button>
      </ScreenBar>
      {save.error === null ? null : <Banner tone="bad">{asCordonError(save.error).message}</Banner>}
      <ScreenBody>
        <LazyGraph document={draft} marks={marks} selected={chosen} onSelect={setChosen} />
        <aside className={styles['editor']} aria-label={t.editor}>
          <Segments
            label={t.view}
            value={isJson ? 'json' : 'form'}
            onChange={(value) => setJson(value === 'json')}
            options={[
              { value: 'form', title: t.form },
              { value: 'json', title: t.json },
            ]}
          />
          {isJson ? <JsonPart draft={draft} onChange={change} /> : null}
          {isJson || step === undefined || chosen === null ? null : (
            <StepForm key={chosen} draft={draft} id={chosen} onChange={change} onChoose={setChosen} />
          )}
          {isJson || step !== undefined ? null : <PlaybookForm draft={draft} onChange={change} />}
          <Issues verdict={verdict} onChoose={setChosen} />
        </aside>
      </ScreenBody>
    </Screen>
  );
}

const nothing = (): void => undefined;

function Badges({ verdict: { valid, runnable, portable } }: { readonly verdict: PlaybookVerdict }) {
  return (
    <>
      <Tag tone={valid ? 'ok' : 'bad'}>{valid ? t.cacaoValid : t.notValid}</Tag>
      {valid && !runnable ? <Tag tone="warn">{t.doesNotRun}</Tag> : null}
      {portable ? <Tag tone="ok">{t.portable}</Tag> : null}
    </>
  );
}

/** So many changes can be undone. */
const kept = 200;

function useHistory(first: Draft) {
  const [{ all, at }, setState] = useState({ all: [first] as readonly Draft[], at: 0 });
  const draft = all[at] ?? first;
  const change = (next: Draft): void =>
    setState((old) => {
      const before = old.all.slice(Math.max(0, old.at + 1 - kept), old.at + 1);
      return { all: [...before, next], at: before.length };
    });
  const move = (by: number) => (at + by in all ? () => setState({ all, at: at + by }) : null);
  const [undo, redo] = [move(-1), move(1)];
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      (event.shiftKey ? redo : undo)?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  return { draft, change, undo, redo, isChanged: draft !== first };
}

const checkAfterMs = 250;

function useVerdict(draft: Draft): PlaybookVerdict | null {
  const { client } = useApi();
  const [verdict, setVerdict] = useState<PlaybookVerdict | null>(null);
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(() => {
      client.playbooks.check({ text: JSON.stringify(draft) }).then(
        (told) => void (isOld || setVerdict(told)),
        () => undefined,
      );
    }, checkAfterMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [client, draft]);
  return verdict;
}

function JsonPart({ draft, onChange }: { readonly draft: Draft; readonly onChange: (next: Draft) => void }) {
  const shown = useMemo(() => JSON.stringify(draft, null, 2), [draft]);
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const type = (next: string): void => {
    setText(next);
    try {
      const parsed: unknown = JSON.parse(next);
      const isOne = typeof parsed === 'object' && parsed !== null && 'workflow' in parsed;
      setError(isOne ? null : t.noPlaybook);
      if (isOne) onChange(parsed as Draft); // the check tells what of it is wrong
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  // While it is typed it stays as typed; a change from elsewhere, such as undo, shows the draft again.
  const isTyped = text !== null && (error !== null || sameJson(text, shown));
  return (
    <TextArea
      label={t.json}
      hideLabel
      mono
      rows={30}
      value={isTyped ? text : shown}
      onChange={type}
      error={isTyped ? error : null}
    />
  );
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}

function Issues({
  verdict,
  onChoose,
}: {
  readonly verdict: PlaybookVerdict | null;
  readonly onChoose: (step: string) => void;
}) {
  if (verdict === null || verdict.issues.length === 0) return null;
  return (
    <ul className={styles['issues']} aria-label={t.problems}>
      {verdict.issues.slice(0, 50).map(({ level, step, name, field, message, fix }) => (
        <li key={`${level} ${step} ${field} ${message}`}>
          <Tag tone={level === 'error' || level === 'refused' ? 'bad' : level === 'warning' ? 'warn' : 'plain'}>
            {level}
          </Tag>
          <span>
            {step === null ? null : (
              <Button size="small" tone="quiet" onPress={() => onChoose(step)}>
                {name}
              </Button>
            )}
            {` ${message} ${fix}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
