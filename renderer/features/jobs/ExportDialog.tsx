import type { JobSummary } from '#shared/model/job.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { ExportFrame } from '../../commands/ExportFrame.tsx';
import { isRunning } from '../../commands/jobs/job-words.ts';
import { Banner } from '../../ui/Banner.tsx';
import { t } from './text.ts';

interface ExportDialogProps {
  readonly summary: JobSummary;
  readonly onClose: () => void;
}

/** Results of every target as a file, errors like results. */
export function ExportDialog({ summary, onClose }: ExportDialogProps) {
  const { client } = useApi();
  return (
    <ExportFrame
      title={t.exportTheResults}
      formats={[
        { value: 'csv', label: 'CSV', detail: 'a line for each target' },
        { value: 'json', label: 'JSON', detail: 'with the action, the digest and which targets were skipped' },
      ]}
      write={(format) => client.jobs.export({ id: summary.id, format })}
      onClose={onClose}
    >
      <p>{t.allTargets(formatCount(summary.targets))}</p>
      {isRunning(summary) ? <Banner>{t.jobStillRunning}</Banner> : null}
    </ExportFrame>
  );
}
