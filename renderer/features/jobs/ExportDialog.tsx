import type { JobSummary } from '#shared/model/job.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { ExportFrame } from '../../commands/ExportFrame.tsx';
import { isRunning } from '../../commands/jobs/job-words.ts';
import { Banner } from '../../ui/Banner.tsx';

interface ExportDialogProps {
  readonly summary: JobSummary;
  readonly onClose: () => void;
}

/** Results of every target as a file, errors like results. */
export function ExportDialog({ summary, onClose }: ExportDialogProps) {
  const { client } = useApi();
  return (
    <ExportFrame
      title="Export the results"
      formats={[
        { value: 'csv', label: 'CSV', detail: 'a line for each target' },
        { value: 'json', label: 'JSON', detail: 'with the action, the digest and which targets were skipped' },
      ]}
      write={(format) => client.jobs.export({ id: summary.id, format })}
      onClose={onClose}
    >
      <p>
        All {formatCount(summary.targets)} targets with their outcomes and times, whatever is shown. No call is made for
        it.
      </p>
      {isRunning(summary) ? <Banner>The job still runs: the file tells how it stands now.</Banner> : null}
    </ExportFrame>
  );
}
