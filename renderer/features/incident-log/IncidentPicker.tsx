import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useApi } from '../../api/ApiProvider.tsx';
import { useSetSettings, useSettings } from '../../api/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Select.tsx';
import { IncidentDialog } from './IncidentDialog.tsx';
import { t } from './text.ts';

interface IncidentPickerProps {
  /** Id of the incident that is shown; `null` shows all. */
  readonly incident: string | null;
  readonly onChange: (incident: string | null) => void;
}

const everything = 'all';

/** Which incident is shown, which one new entries join, and opening and closing. */
export function IncidentPicker({ incident, onChange }: IncidentPickerProps) {
  const { client, queries } = useApi();
  const { activeIncident } = useSettings();
  const set = useSetSettings();
  const [opening, setOpening] = useState(false);
  const { data: incidents = [] } = useQuery(queries.log.incidents.queryOptions());
  const setOpen = useMutation({
    mutationFn: (input: { id: string; open: boolean }) => client.log.setIncidentOpen(input),
  });
  const shown = incidents.find((each) => each.id === incident);
  return (
    <>
      <Select
        label={t.incident}
        hideLabel
        value={shown?.id ?? everything}
        onChange={(id) => onChange(id === everything ? null : id)}
        options={[
          { value: everything, label: 'All incidents' },
          ...incidents.map((each) => ({
            value: each.id,
            label: each.title,
            detail: [
              each.reference,
              each.open ? 'open' : 'closed',
              each.id === activeIncident ? 'new entries join it' : '',
            ]
              .filter(Boolean)
              .join(' · '),
          })),
        ]}
      />
      {shown === undefined ? null : (
        <>
          {shown.open && shown.id !== activeIncident ? (
            <Button onPress={() => set({ activeIncident: shown.id })}>{t.letNewEntries}</Button>
          ) : null}
          {shown.id === activeIncident ? (
            <Button onPress={() => set({ activeIncident: null })}>{t.stopJoining}</Button>
          ) : null}
          <Button
            reason={setOpen.isPending ? t.saving : null}
            onPress={() => {
              setOpen.mutate({ id: shown.id, open: !shown.open });
              if (shown.open && shown.id === activeIncident) set({ activeIncident: null });
            }}
          >
            {shown.open ? t.closeIncident : t.reopen}
          </Button>
        </>
      )}
      <Button onPress={() => setOpening(true)} aria-haspopup="dialog">
        {t.newIncidentMore}
      </Button>
      {opening ? (
        <IncidentDialog
          onClose={() => setOpening(false)}
          onOpened={(opened) => {
            set({ activeIncident: opened.id });
            onChange(opened.id);
            setOpening(false);
          }}
        />
      ) : null}
    </>
  );
}
