import { useQuery } from '@tanstack/react-query';

import { useApi } from '../api/ApiProvider.tsx';
import { useSetSettings, useSettings } from '../api/hooks.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { KeyValue } from '../ui/KeyValue.tsx';
import { RadioGroup, Switch } from '../ui/Toggle.tsx';

export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const settings = useSettings();
  const set = useSetSettings();
  return (
    <Dialog
      title="Settings"
      isOpen
      onClose={onClose}
      footer={
        <Button tone="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <RadioGroup
        label="Theme"
        orientation="horizontal"
        value={settings.theme}
        onChange={(theme) => set({ theme })}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'contrast', label: 'High contrast' },
        ]}
      />
      <RadioGroup
        label="Times"
        orientation="horizontal"
        value={settings.timeZone}
        onChange={(timeZone) => set({ timeZone })}
        options={[
          { value: 'local', label: 'Local time' },
          { value: 'utc', label: 'UTC' },
        ]}
      />
      <Switch isSelected={settings.singleKeys} onChange={(singleKeys) => set({ singleKeys })}>
        Single letters are keys
      </Switch>
      <About />
    </Dialog>
  );
}

function About() {
  const { queries } = useApi();
  const info = useQuery(queries.app.info.queryOptions()).data;
  if (info === undefined) return null;
  return (
    <KeyValue
      facts={[
        { name: 'Version', value: `${info.version} (${info.host})` },
        { name: 'Operator', value: info.operator },
        { name: 'Profile', value: info.profile, mono: true },
        {
          name: 'Secrets',
          value: info.secretStore.available ? info.secretStore.kind : (info.secretStore.reason ?? 'not available'),
        },
      ]}
    />
  );
}
