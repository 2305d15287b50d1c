/** slowhttptest for a minute and a half, each attack by itself: the server must stay available and let nobody stay. */
import { attackSlowly, slowKinds, type SlowReport } from '../../electron/core/forwarder/chain/testing/slow.ts';

const attack = { connections: 500, seconds: 90 };

export async function benchSlow(): Promise<string> {
  const reports: SlowReport[] = [];
  let leaked = 0;
  for (const kind of slowKinds) {
    const run = await attackSlowly(attack, [kind]);
    reports.push(...run.reports);
    leaked += run.leaked;
  }
  const text = table(reports);
  // A slow reader that takes its answer, however slowly, is served: only its number is limited.
  const stayed = reports.some(({ kind, left }) => kind !== 'read' && left > 0);
  if (leaked > 0 || stayed || reports.some(({ available }) => !available)) throw new Error(`Not good enough:\n${text}`);
  return text;
}

function table(reports: readonly SlowReport[]): string {
  const rows = reports.map(({ kind, available, opened, left, closed, seconds }) =>
    [kind, available ? 'yes' : 'no', opened, closed, left, seconds.toFixed(0)].join(' | '),
  );
  return [
    '| slow | always available | opened | closed on the client | open at the end | s |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
