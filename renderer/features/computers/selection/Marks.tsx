import { useQuery } from '@tanstack/react-query';

import { formatCount } from '#shared/text/numbers.ts';

import { useActiveConnection } from '../../../api/active.tsx';
import { useApi } from '../../../api/ApiProvider.tsx';
import { asCordonError } from '../../../api/errors.ts';
import { Chip } from '../../../ui/Tag.tsx';
import { t } from '../text.ts';
import { marksAmong, type MarkedAmong } from './marks-among.ts';

interface MarksProps {
  readonly selected: ReadonlySet<string>;
  /** Takes these out of the selection. */
  readonly onLeaveOut: (guids: readonly string[], what: string) => void;
}

/** Who among the selected will not take part in what is done next, counted before a dialog asks. */
export function Marks({ selected, onLeaveOut }: MarksProps) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const { data, error } = useQuery(queries.computers.marks.queryOptions({ input: { connection } }));
  if (data === undefined)
    return error === null ? null : (
      <span title={asCordonError(error).message}>
        <Chip>{t.protectionUnknown}</Chip>
      </span>
    );
  return marksAmong(data, selected).map((mark) => (
    <Mark key={mark.what} mark={mark} onLeaveOut={() => onLeaveOut(mark.guids, mark.what)} />
  ));
}

function Mark({ mark, onLeaveOut }: { readonly mark: MarkedAmong; readonly onLeaveOut: () => void }) {
  const count = formatCount(mark.guids.length);
  return (
    <span title={mark.meaning}>
      <Chip onRemove={onLeaveOut} removeLabel={t.leaveOutSelection(count, mark.what)}>
        {count} {mark.what}
      </Chip>
    </span>
  );
}
