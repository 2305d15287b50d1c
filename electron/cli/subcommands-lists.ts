/** The subcommands of whole file lists. */
import type { OptionSpec, SubcommandSpec } from './subcommand-spec.ts';

const list = { name: 'LIST', required: true } as const;

const file: OptionSpec = {
  takes: 'text',
  value: 'FILE',
  summary: 'A file with hashes: text, CSV or a STIX 2.1 bundle. - reads standard input.',
};

export const listSubcommands: readonly SubcommandSpec[] = [
  {
    name: 'list import',
    summary: 'Put the hashes of a file on a list, or take them off it, as one job.',
    words: [list],
    options: {
      file,
      remove: { takes: 'nothing', summary: 'Take them off the list instead.' },
      reason: { takes: 'text', value: 'TEXT', summary: 'Why; it goes into the log.' },
      'dry-run': { takes: 'nothing', summary: 'Show the plan, and send nothing.' },
      plan: { takes: 'text', value: 'FILE', summary: 'Write the plan to a file, and send nothing.' },
      apply: {
        takes: 'text',
        value: 'FILE',
        summary: 'Apply a plan from a file: it brings its hashes and its reason.',
      },
      confirm: {
        takes: 'text',
        value: 'TEXT',
        summary: 'The number of hashes, or the beginning of the only one, where a confirmation is asked for.',
      },
    },
  },
  {
    name: 'list export',
    summary: 'Write the hashes of a list to standard output, as the service has them now.',
    words: [list],
    options: {
      format: {
        takes: 'text',
        value: 'FORMAT',
        summary: 'How to write them (csv without it).',
        choices: ['csv', 'json'],
      },
    },
  },
  {
    name: 'list diff',
    summary: 'Tell which hashes are only on a list, and which only in a file or on another list.',
    words: [list],
    options: { file, with: { takes: 'text', value: 'LIST', summary: 'Another list, in place of a file.' } },
  },
];
