import { useUi } from '../../state/ui.tsx';
import { useSetSettings } from '../../api/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './connections.module.css';
import { DraftFields } from './DraftFields.tsx';
import { useConnectionForm } from './use-connection-form.ts';
import { useDraftTest } from './use-test.ts';

/** The first thing a person sees without a connection: one form, no account, no questions. */
export function FirstStartScreen() {
  const form = useConnectionForm(null);
  const draftTest = useDraftTest(form, null);
  const { test, tryOut } = draftTest;
  const setActive = useUi((ui) => ui.setActiveConnection);
  const setSettings = useSetSettings();
  const connect = async () => {
    const saved = await form.save();
    if (saved === null) return;
    setActive(saved.id);
    setSettings({ activeConnection: saved.id });
  };
  return (
    <div className={styles['first']}>
      <div className={styles['sheet']}>
        <h1 className={styles['hello']}>Connect your service</h1>
        <p className={styles['intro']}>
          Cordon needs the address of your endpoint-security service and an API credential for it. Everything stays on
          this computer; there is no account. To look around first, start Cordon without <code>--no-sandbox</code>.
        </p>
        <DraftFields form={form} draftTest={draftTest} stored={null} focus="name" />
        <div className={styles['cardActions']}>
          <Button tone="primary" onPress={() => void connect()} reason={form.isSaving ? 'Saving…' : null}>
            Connect
          </Button>
          <Button onPress={tryOut} reason={test.isRunning ? 'The test is running.' : null}>
            Test first
          </Button>
        </div>
      </div>
    </div>
  );
}
