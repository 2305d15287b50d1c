import { useManaged } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { Part } from './Part.tsx';
import { heldFacts } from './managed-words.ts';

/** What an administrator set and locked on this computer. */
export function ManagedPart() {
  const managed = useManaged();
  return (
    <Part
      title="Managed configuration"
      about="A file of this computer, outside every profile: what it holds stands in each window and on the command line, and is changed there alone."
    >
      {managed.problem === null ? null : (
        <Banner tone="bad">
          {managed.problem} What held last holds on; every connection is read-only until it is repaired.
        </Banner>
      )}
      {managed.state === 'none' ? <p>Nothing is set by an administrator.</p> : null}
      <KeyValue facts={heldFacts(managed)} />
    </Part>
  );
}
