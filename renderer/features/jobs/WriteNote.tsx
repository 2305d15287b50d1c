import { asSentence } from '#shared/sentence.ts';

import { useActiveFrame, useWriteRefusal } from '../../api/active.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Time } from '../../ui/Time.tsx';

/** Why nothing can be sent now: writing is off, the key is refused, or the service cannot be reached. Receipts stay readable. */
export function WriteNote() {
  const lock = useWriteRefusal();
  const frame = useActiveFrame();
  const { link } = frame ?? {};
  return (
    <>
      {lock === null ? null : (
        <Banner tone="warning">{lock} No job is started and none goes on; receipts and exports stay.</Banner>
      )}
      {link?.kind === 'failing' ? (
        <Banner tone="warning">
          {link.error.code === 'unauthorized' ? 'The key is refused' : 'The service cannot be reached'} since{' '}
          <Time at={link.since} form="clock" focusable />: {asSentence(link.error.message)} What was seen before stays
          shown.
        </Banner>
      ) : null}
    </>
  );
}
