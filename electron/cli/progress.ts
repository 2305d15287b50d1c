/** What a running command does, on stderr: one line that is written over on a terminal, a few lines elsewhere. */
import type { RunProgress } from '#shared/contract/live.ts';

import type { Output } from './output.ts';

/** Without a terminal, pages and polls are told at most this often. */
const quietMs = 15_000;

/** `now` is monotonic, in milliseconds. */
export function createProgress(output: Output, now: () => number): (progress: RunProgress) => void {
  const started = now();
  let told = started;
  let lastText = '';
  return (progress) => {
    const text = progressText(progress);
    if (output.talksToTerminal) return output.status(text);
    if (output.mode !== 'text' && progress.kind === 'pages') return;
    const urgent = progress.kind === 'waiting_for_budget' || progress.kind === 'retrying';
    if (text === lastText || (!urgent && now() - told < quietMs)) return;
    told = now();
    lastText = text;
    output.say(text);
  };
}

export function progressText(progress: RunProgress): string {
  switch (progress.kind) {
    case 'pages':
      return `${progress.records} records read, ${progress.read}${progress.total === null ? '' : ` of ${progress.total}`} pages`;
    case 'waiting_for_budget':
      return `Waiting for the API limit until ${timeText(progress.until)}. Ctrl-C stops.`;
    case 'retrying':
      return `${progress.because} Trying again in ${Math.ceil(progress.inMs / 1000)} s (${progress.attempt} of ${progress.of}).`;
    case 'polling':
      return `State: ${progress.state}. Waiting until ${timeText(progress.until)}. Ctrl-C stops.`;
  }
}

function timeText(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleTimeString('en-GB', { hour12: false });
}
