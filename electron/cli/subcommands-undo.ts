/** The subcommands of the undo list. */
import type { SubcommandSpec } from './subcommand-spec.ts';

const change = { name: 'ID', required: true } as const;

export const undoSubcommands: readonly SubcommandSpec[] = [
  {
    name: 'undo list',
    summary: 'List moves, policies and hashes of the last 24 hours, and whether they can be undone.',
    words: [],
    options: {},
  },
  {
    name: 'undo show',
    summary: 'Check the current state and show the calls that would undo a change. Nothing is sent.',
    words: [change],
    options: {},
  },
  {
    name: 'undo apply',
    summary: 'Undo a change. Targets changed since are skipped.',
    words: [change],
    options: {
      confirm: { takes: 'text', value: 'TEXT', summary: 'The name or number, where a confirmation is asked for.' },
    },
  },
];
