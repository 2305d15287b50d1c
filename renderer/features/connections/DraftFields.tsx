import type { Connection } from '#shared/model/connection.ts';

import { Banner } from '../../ui/Banner.tsx';
import { InView } from '../../ui/InView.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { FormNotes } from './FormNotes.tsx';
import { TestResults } from './TestResults.tsx';
import type { FormState } from './use-connection-form.ts';
import type { DraftTest } from './use-test.ts';

interface DraftFieldsProps {
  readonly form: FormState;
  readonly draftTest: DraftTest;
  /** `null` for a new one. */
  readonly stored: Connection | null;
  readonly focus: 'name' | 'apiKey';
}

/** A connection as it is being entered: what to know before, its fields, what was refused, and how its test went. */
export function DraftFields({ form, draftTest: { test, problem }, stored, focus }: DraftFieldsProps) {
  const { draft, set, place, failure } = form;
  return (
    <>
      <FormNotes draft={draft} stored={stored} />
      <ConnectionForm {...{ place, draft, problem, stored, focus }} onChange={set} />
      {failure === null ? null : (
        <InView>
          <Banner tone="bad">{failure}</Banner>
        </InView>
      )}
      <TestResults test={test} />
    </>
  );
}
