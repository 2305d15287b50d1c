/** The subcommands of targets. */
import type { OptionSpec, SubcommandSpec } from './subcommand-spec.ts';

const name = [{ name: 'NAME', required: true }] as const;

const options: Readonly<Record<string, OptionSpec>> = {
  file: { takes: 'text', value: 'PATH', summary: 'Send to this file, as JSON Lines; it is rotated.' },
  syslog: {
    takes: 'text',
    value: 'HOST[:PORT]',
    summary: 'Send to this syslog receiver over TLS (default port: 6514).',
  },
  webhook: { takes: 'text', value: 'URL', summary: 'Send to this HTTPS address, as signed CloudEvents.' },
  events: { takes: 'nothing', summary: 'Send stored events of the connection.' },
  filter: { takes: 'text', value: 'FILTER', summary: 'Only events that match, as on the screen Events.' },
  log: { takes: 'nothing', summary: 'Send entries of the incident log.' },
  text: { takes: 'text', value: 'WORDS', summary: 'Only entries with these words.' },
  'changes-only': { takes: 'nothing', summary: 'Only entries of changes.' },
  format: {
    takes: 'text',
    value: 'FORMAT',
    choices: ['ocsf', 'as_is'],
    summary: 'OCSF 1.8, or records as they are (default: ocsf).',
  },
  private: { takes: 'nothing', summary: 'Allow a private address, or one of this computer.' },
  'ca-file': { takes: 'text', value: 'FILE', summary: 'Trust the certificate authorities in this PEM file too.' },
  'secret-file': {
    takes: 'text',
    value: 'FILE',
    summary: "A file with the webhook's signing secret (default: a new one, shown once).",
  },
};

export const targetSubcommands: readonly SubcommandSpec[] = [
  {
    name: 'targets list',
    summary: 'List where events and log entries go onwards to, with backlogs.',
    words: [],
    options: {},
  },
  {
    name: 'targets add',
    summary: 'Add a target: a file, a syslog receiver or a webhook.',
    words: name,
    options: {
      ...options,
      'from-beginning': { takes: 'nothing', summary: 'Begin with what is stored, not with what comes.' },
    },
  },
  { name: 'targets set', summary: 'Change a target; options not given stay as they are.', words: name, options },
  { name: 'targets enable', summary: 'Send to a target again.', words: name, options: {} },
  { name: 'targets disable', summary: 'Stop sending to a target; its backlog waits.', words: name, options: {} },
  { name: 'targets remove', summary: 'Remove a target.', words: name, options: {} },
  { name: 'targets test', summary: 'Send one message that says that it is a test.', words: name, options: {} },
  {
    name: 'targets refused',
    summary: 'Show what a target refused for good.',
    words: name,
    options: { limit: { takes: 'text', value: 'N', summary: 'How many at most, newest first.' } },
  },
  { name: 'targets run', summary: 'Send to all targets until stopped, where no console runs.', words: [], options: {} },
];
