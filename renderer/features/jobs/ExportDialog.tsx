import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { JobSummary } from '#shared/model/job.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { isRunning } from '../../commands/jobs/job-words.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { saveBlob } from '../../ui/chart/save.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatCount } from '../../ui/time.ts';
import { RadioGroup } from '../../ui/Toggle.tsx';

interface ExportDialogProps {
  readonly summary: JobSummary;
  readonly onClose: () => void;
}

/** Results of every target as a file, errors like results. */
export function ExportDialog({ summary, onClose }: ExportDialogProps) {
  const { client } = useApi();
  const announce = useAnnounce();
  const [format, setFormat] = useState<'csv' | 'json'>('csv');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.jobs.export({ id: summary.id, format }),
    onSuccess: ({ name, mediaType, text }) => {
      saveBlob(new Blob([text], { type: mediaType }), name);
      announce(`${name} saved`);
      onClose();
    },
  });
  return (
    <Dialog
      title="Export the receipts"
      size="small"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" onPress={() => mutate()} reason={isPending ? 'It is being written.' : null}>
            Export
          </Button>
        </>
      }
    >
      <p>
        All {formatCount(summary.targets)} targets with their outcomes and times, whatever is shown. No call is made for
        it.
      </p>
      {isRunning(summary) ? <Banner>The job still runs: the file tells how it stands now.</Banner> : null}
      <RadioGroup
        label="Format"
        value={format}
        onChange={setFormat}
        options={[
          { value: 'csv', label: 'CSV', detail: 'a line for each target' },
          { value: 'json', label: 'JSON', detail: 'with the action, the digest and who was left out' },
        ]}
      />
      {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
    </Dialog>
  );
}
