import { CordonError } from '#shared/contract/errors.ts';

import { describeFault } from '#core/store/faults.ts';
import { openSoundFile, type SoundFile } from '#core/store/sound-file.ts';
import { incidentMigrations } from './schema.ts';

/** The file under the log. `write` throws `log_unavailable` when it cannot be committed. */
export type LogFile = SoundFile;

export function openLogFile(path: string, busyTimeoutMs: number): LogFile {
  const otherFile = (what: string): CordonError =>
    new CordonError(
      'log_unavailable',
      `The incident log ${path} ${what} while Cordon was using it: nothing was sent.`,
      {
        fix: 'put the file back; or end Cordon and start it again, then run "cordon log verify"',
      },
    );
  const migrations = incidentMigrations;
  const file = openSoundFile({ path, synchronous: 'FULL', busyTimeoutMs, migrations, otherFile });
  return {
    ...file,
    write: (work) => {
      try {
        return file.write(work);
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

function unavailable(error: unknown): unknown {
  const ours = error instanceof CordonError && error.code !== 'storage' && error.code !== 'disk_full';
  if (ours) return error;
  return new CordonError(
    'log_unavailable',
    `The incident log cannot be written because ${describeFault(error)}.`,
    error instanceof CordonError ? error.details : {},
    { cause: error },
  );
}
