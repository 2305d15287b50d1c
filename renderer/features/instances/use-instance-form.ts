import { useState } from 'react';

import type { Instance } from '#shared/model/instance.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { draftOf, emptyDraft, type Draft } from './draft.ts';
import { readDraft, type Problem } from './read-draft.ts';
import { useGuard, type Guard } from './use-guard.ts';

export interface InstanceForm {
  readonly draft: Draft;
  readonly problem: Problem | null;
  /** A failure that belongs to no field. */
  readonly failure: string | null;
  readonly guard: Guard;
  set(change: Partial<Draft>): void;
  save(): void;
}

/** A new instance, or changes of a stored one; nothing typed is lost when saving fails. */
export function useInstanceForm(stored: Instance | null, onSaved: (instance: Instance) => void): InstanceForm {
  const { client } = useApi();
  const guard = useGuard();
  const [draft, setDraft] = useState<Draft>(() => (stored === null ? emptyDraft : draftOf(stored)));
  const [typedProblem, setProblem] = useState<Problem | null>(null);
  const save = () => {
    const reading = readDraft(draft, stored);
    setProblem(reading.kind === 'problem' ? reading.problem : null);
    if (reading.kind === 'problem') return;
    const { definition, secrets } = reading;
    guard.run(
      (confirmation) =>
        client.instances.save({
          ...(stored === null ? {} : { id: stored.id }),
          definition,
          secrets,
          // A stored one keeps its switch: it has a place of its own.
          ...(stored === null && draft.isExposed ? { exposed: true } : {}),
          ...confirmation,
        }),
      onSaved,
    );
  };
  const field = pathOf(guard.error?.details.field);
  const told = guard.error === null || field === undefined ? null : { field, message: guard.error.message };
  const problem = typedProblem ?? (told !== null && hasPlace(told.field) ? told : null);
  return {
    draft,
    problem,
    failure: guard.error !== null && problem === null ? guard.error.message : null,
    guard,
    set: (change) => {
      setDraft((old) => ({ ...old, ...change }));
      setProblem(null);
      guard.clear();
    },
    save,
  };
}

const secretFields: ReadonlySet<string> = new Set(['users', 'tokens', 'signingKey']);

/** As the form names it. */
function pathOf(field: string | undefined): string | undefined {
  const path = field?.replace(/^definition\./, '');
  return path !== undefined && secretFields.has(path.split('.')[0] ?? '') ? `secrets.${path}` : path;
}

/** First steps of the paths that the form has a field for. */
const places: ReadonlySet<string> = new Set([
  'name',
  'listenPort',
  'host',
  'certificate',
  'program',
  'access',
  'secrets',
  'allow',
  'origins',
  'methods',
  'limits',
  'timeouts',
  'trailers',
  'hostHeader',
  'serveStaleS',
  'healthCheck',
]);

function hasPlace(field: string): boolean {
  return places.has(field.split('.')[0] ?? '');
}
