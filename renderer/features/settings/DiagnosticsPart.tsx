import { useMutation } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveText } from '../../ui/save.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';
import { t } from './text.ts';

/** The text is shown before it can be saved, and what is saved is what was shown. */
export function DiagnosticsPart() {
  const { client } = useApi();
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => client.local.diagnostics() });
  return (
    <Part title={t.diagnostics} about={t.versionsStates}>
      <div className={styles['line']}>
        <Button onPress={() => mutate()} reason={isPending ? t.generating : null}>
          {data === undefined ? t.generateReport : t.generateNewReport}
        </Button>
        {data === undefined ? null : (
          <>
            <Button tone="primary" onPress={() => saveText(data)}>
              {t.saveWhatShown}
            </Button>
            <CopyButton text={data.text} what="diagnostics" />
          </>
        )}
      </div>
      {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
      {data === undefined ? null : (
        <div className={styles['wide']}>
          <p className={styles['hint']}>{t.reviewBeforeSharing}</p>
          <pre
            ref={(element) => element?.scrollIntoView({ block: 'nearest' })}
            className={styles['preview']}
            tabIndex={0}
            role="region"
            aria-label={t.diagnosticsThey}
          >
            {data.text}
          </pre>
        </div>
      )}
    </Part>
  );
}
