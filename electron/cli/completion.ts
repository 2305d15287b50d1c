import { usage } from './faults.ts';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { zshScript } from './completion-zsh.ts';
import type { Output } from './output.ts';

/** Prints the script for one shell, made from the catalogue. */
export function printCompletion([shell]: readonly string[], output: Output): number {
  const text = shell === 'bash' ? bashScript() : shell === 'zsh' ? zshScript() : fishScript();
  if (output.mode === 'jsonl') throw usage('A script is no record', 'leave --jsonl out', 'jsonl');
  if (output.mode === 'json')
    output.json({
      ok: true,
      command: 'completion',
      args: { shell },
      data: text,
      message: `Completion for ${shell}.`,
      entry: null,
    });
  else output.raw(text);
  return 0;
}
