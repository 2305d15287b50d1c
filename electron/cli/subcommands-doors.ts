/** The subcommands of the local API and its tokens. */
import type { SubcommandSpec } from './subcommand-spec.ts';

export const doorSubcommands: readonly SubcommandSpec[] = [
  {
    name: 'api on',
    summary: 'Switch the local API on. The console of this profile answers while it runs.',
    words: [],
    options: {
      port: { takes: 'text', value: 'PORT', summary: 'Port of 127.0.0.1 (default: the one before, at first 4810).' },
      socket: { takes: 'nothing', summary: 'Answer at a UNIX socket in the profile instead of a port.' },
    },
  },
  { name: 'api off', summary: 'Switch the local API off.', words: [], options: {} },
  { name: 'api status', summary: 'Show whether the local API is on, and where it answers.', words: [], options: {} },
  {
    name: 'api test',
    summary: 'Ask the local API once, with a token that is revoked at once.',
    words: [],
    options: {},
  },
  {
    name: 'api token',
    summary: 'Create, list or revoke tokens. A new token is printed once.',
    words: [
      { name: 'ACTION', required: true, choices: ['create', 'list', 'revoke'] },
      { name: 'NAME', required: false },
    ],
    options: {
      scope: { takes: 'text', value: 'SCOPE', summary: 'What it may do (default: read).', choices: ['read', 'change'] },
      for: {
        takes: 'text',
        value: 'NAME',
        summary: 'A connection that it may use (default: the only one, or --connection).',
        many: true,
      },
      assistant: { takes: 'nothing', summary: 'It is for an assistant: a change is only proposed.' },
      days: { takes: 'text', value: 'N', summary: 'Days until it expires (default: 90).' },
      'per-minute': { takes: 'text', value: 'N', summary: 'Requests a minute (default: 600).' },
    },
  },
];
