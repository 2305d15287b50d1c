import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { Connection } from '#shared/model/connection.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { draftOf, emptyDraft, inputOf, problemOf, type Draft, type Problem, type ProblemField } from './draft.ts';

export interface FormState {
  readonly draft: Draft;
  readonly problem: Problem | null;
  /** A failure that belongs to no field. */
  readonly failure: string | null;
  readonly isSaving: boolean;
  set(draft: Draft): void;
  /** Resolves with the stored connection, or `null` when something is to be mended first. */
  save(): Promise<Connection | null>;
}

const fields: readonly ProblemField[] = [
  'name',
  'url',
  'clientId',
  'apiKey',
  'insecure',
  'colour',
  'environment',
  'readOnly',
  'proxy',
  'proxyLogin',
  'ca',
];

/** A new connection, or changes of a stored one; nothing typed is lost when saving fails. */
export function useConnectionForm(stored: Connection | null): FormState {
  const { client } = useApi();
  const [draft, setDraft] = useState<Draft>(() => (stored === null ? emptyDraft : draftOf(stored)));
  const [problem, setProblem] = useState<FormState['problem']>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (value: Draft) => {
      const input = inputOf(value);
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
