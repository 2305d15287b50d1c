import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { connectionInputSchema, type Connection } from '#shared/model/connection.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { emptyDraft, type Draft } from './ConnectionForm.tsx';

export interface FormState {
  readonly draft: Draft;
  readonly problem: { readonly field: string; readonly message: string } | null;
  /** A failure that belongs to no field. */
  readonly failure: string | null;
  readonly isSaving: boolean;
  set(draft: Draft): void;
  /** Resolves with the stored connection, or `null` when something is to be mended first. */
  save(): Promise<Connection | null>;
}

const fields = Object.keys(emptyDraft) as readonly (keyof Draft)[]; // the keys of the literal, nothing else

/** A new connection, or changes of a stored one; nothing typed is lost when saving fails. */
export function useConnectionForm(stored: Connection | null): FormState {
  const { client } = useApi();
  const [draft, setDraft] = useState<Draft>(() => (stored === null ? emptyDraft : draftOf(stored)));
  const [problem, setProblem] = useState<FormState['problem']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (value: Draft) => {
      const { apiKey, ...rest } = value;
      const input = { ...rest, ...(apiKey === '' ? {} : { apiKey }) };
      return stored === null
        ? client.connections.add(input)
        : client.connections.update({ id: stored.id, change: input });
    },
  });

  const save = async (): Promise<Connection | null> => {
    const found = problemOf(draft, stored !== null);
    setProblem(found);
    setFailure(null);
    if (found !== null) return null;
    try {
      return await saving.mutateAsync(draft);
    } catch (thrown) {
      const error = asCordonError(thrown);
      const field = fields.find((each) => each === error.details.field);
      if (field === undefined) setFailure(error.message);
      else setProblem({ field, message: error.message });
      return null;
    }
  };
  return {
    draft,
    problem,
    failure,
    isSaving: saving.isPending,
    set: (next) => {
      setDraft(next);
      setProblem(null);
      setFailure(null);
    },
    save,
  };
}

function draftOf(stored: Connection): Draft {
  const { name, url, clientId, insecure, colour, readOnly } = stored;
  return {
    name,
    url,
    clientId,
    insecure,
    colour,
    readOnly,
    apiKey: '',
    environment: stored.environment === 'test' ? 'test' : 'production',
  };
}

/** The first thing that is wrong with what was typed; core checks it again. */
function problemOf(draft: Draft, hasKey: boolean): FormState['problem'] {
  const { apiKey, ...rest } = draft;
  const issue = connectionInputSchema.safeParse({ ...rest, ...(apiKey === '' ? {} : { apiKey }) }).error?.issues[0];
  if (issue !== undefined) return { field: String(issue.path[0] ?? ''), message: `It ${issue.message}.` };
  return apiKey === '' && !hasKey
    ? { field: 'apiKey', message: 'Type or paste the API key: the console shows it only once.' }
    : null;
}
