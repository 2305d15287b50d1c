import { formOf, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { Button } from '../../ui/Button.tsx';
import styles from './IncidentLogScreen.module.css';
import { t } from './text.ts';

/** New entries that wait above: the rows under the eyes of who reads do not move. */
export function Waiting({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  if (count === 0) return null;
  return (
    <div role="status" className={styles['waiting']}>
      <Button tone="primary" size="small" onPress={onShow}>
        {t.new(formatCount(count), formOf(count, nouns.entry))}
      </Button>
    </div>
  );
}
