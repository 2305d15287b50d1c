import { useMutation } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveText } from '../../ui/save.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';

/** The text is shown before it can be saved, and what is saved is what was shown. */
export function DiagnosticsPart() {
  const { client } = useApi();
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => client.local.diagnostics() });
  return (
    <Part
      title="Diagnostics"
      about="Versions, states, sizes and the program’s last lines. Names, addresses, ids and anything that could be a key are removed. Nothing is sent anywhere."
    >
      <div className={styles['line']}>
        <Button onPress={() => mutate()} reason={isPending ? 'Generating…' : null}>
          {data === undefined ? 'Generate report' : 'Generate new report'}
        </Button>
        {data === undefined ? null : (
          <>
            <Button tone="primary" onPress={() => saveText(data)}>
              Save what is shown
            </Button>
            <CopyButton text={data.text} what="diagnostics" />
          </>
        )}
      </div>
      {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
      {data === undefined ? null : (
        <div className={styles['wide']}>
          <p className={styles['hint']}>Read it before you hand it on:</p>
          <pre
            ref={(element) => element?.scrollIntoView({ block: 'nearest' })}
            className={styles['preview']}
            tabIndex={0}
            role="region"
            aria-label="Diagnostics as they would be saved"
          >
            {data.text}
          </pre>
        </div>
      )}
    </Part>
  );
}
