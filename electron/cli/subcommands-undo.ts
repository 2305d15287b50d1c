/** The subcommands of the undo list. */
import type { SubcommandSpec } from './subcommands.ts';

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
    summary: 'Read what is there now, and show the calls that would take a change back. Nothing is sent.',
    words: [change],
    options: {},
  },
  {
    name: 'undo apply',
    summary: 'Take a change back. What somebody changed since is not touched.',
    words: [change],
    options: {
      confirm: { takes: 'text', value: 'TEXT', summary: 'The name or number, where a confirmation is asked for.' },
    },
  },
];
