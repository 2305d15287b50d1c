/** What the command line knows beside the catalogue: reading, help and completion are derived from these declarations. */
import { approvalSubcommands } from './subcommands-approvals.ts';
import { connectionSubcommands } from './subcommands-connections.ts';
import { forwardingSubcommands } from './subcommands-forwarding.ts';
import { doorSubcommands } from './subcommands-doors.ts';
import { jobSubcommands } from './subcommands-jobs.ts';
import { listSubcommands } from './subcommands-lists.ts';
import { logSubcommands } from './subcommands-log.ts';
import { streamSubcommands } from './subcommands-streams.ts';
import { targetSubcommands } from './subcommands-targets.ts';
import { playbookSubcommands } from './subcommands-playbook.ts';
import { undoSubcommands } from './subcommands-undo.ts';
import type { OptionSpec, SubcommandSpec } from './subcommand-spec.ts';

export const globalOptions = {
  profile: { takes: 'text', value: 'DIR', summary: 'Folder for connections, log and local data.' },
  connection: { takes: 'text', value: 'NAME', summary: 'Use this connection of the profile.' },
  server: {
    takes: 'text',
    value: 'URL',
    summary: 'Use this service once, without storing it: needs --client-id and --api-key-file.',
  },
  'client-id': { takes: 'text', value: 'ID', summary: 'The client ID for --server.' },
  'api-key-file': {
    takes: 'text',
    value: 'FILE',
    summary: 'A file with the API key, readable by its owner alone; - reads standard input.',
  },
  'passphrase-file': { takes: 'text', value: 'FILE', summary: 'A file whose first line opens the stored keys.' },
  insecure: { takes: 'nothing', summary: 'Trust any certificate (not secure).' },
  json: { takes: 'nothing', summary: 'Print one JSON object.' },
  jsonl: { takes: 'nothing', summary: 'Print one JSON record a line, as they arrive.' },
  incident: { takes: 'text', value: 'ID', summary: 'The incident that the log entries join.' },
  'max-wait': {
    takes: 'text',
    value: 'SECONDS',
    summary: 'Maximum wait for the API limit, in seconds (default: 3600).',
  },
  help: { takes: 'nothing', summary: 'Show help.' },
  version: { takes: 'nothing', summary: 'Show the version of this program.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export const subcommands: readonly SubcommandSpec[] = [
  ...connectionSubcommands,
  ...logSubcommands,
  { name: 'incidents list', summary: 'List incidents.', words: [], options: {} },
  {
    name: 'incidents open',
    summary: 'Open an incident; its ID is what --incident takes.',
    words: [{ name: 'TITLE', required: true }],
    options: {
      reference: { takes: 'text', value: 'TEXT', summary: 'The number of a ticket, or where more is to be found.' },
    },
  },
  { name: 'incidents close', summary: 'Close an incident.', words: [{ name: 'ID', required: true }], options: {} },
  {
    name: 'incidents reopen',
    summary: 'Open a closed incident again.',
    words: [{ name: 'ID', required: true }],
    options: {},
  },
  ...jobSubcommands,
  ...undoSubcommands,
  ...playbookSubcommands,
  ...approvalSubcommands,
  ...listSubcommands,
  ...streamSubcommands,
  ...targetSubcommands,
  ...doorSubcommands,
  ...forwardingSubcommands,
  {
    name: 'sandbox',
    summary: 'Serve a generated tenant on this computer until stopped.',
    words: [],
    options: {
      port: { takes: 'text', value: 'PORT', summary: 'Port to listen on; 0, and without it, any free one.' },
      computers: { takes: 'text', value: 'N', summary: 'How many computers the tenant has (2000 without it).' },
      groups: { takes: 'text', value: 'N', summary: 'How many groups it has (44 without it, and at least).' },
      'file-lists': { takes: 'text', value: 'N', summary: 'How many file lists it has (14 without it, and at most).' },
      seed: { takes: 'text', value: 'TEXT', summary: 'Same seed, same tenant.' },
      budget: { takes: 'text', value: 'N', summary: 'Requests per window (3000 without it).' },
      window: { takes: 'text', value: 'SECONDS', summary: 'Length of the window (3600 without it).' },
      'agent-delay': { takes: 'text', value: 'MS', summary: 'How long an agent takes to answer (4000 without it).' },
      weather: { takes: 'text', value: 'RULE', summary: 'Inject a fault into an endpoint.', many: true },
    },
  },
  {
    name: 'completion',
    summary: 'Print a completion script: eval "$(cordon completion bash)".',
    words: [{ name: 'SHELL', required: true, choices: ['bash', 'zsh', 'fish'] }],
    options: {},
  },
  {
    name: 'help',
    summary: 'Show help, of one command if it is named.',
    words: [{ name: 'COMMAND', required: false }],
    options: {},
  },
  {
    name: '__complete',
    summary: 'Values of local data, for completion scripts.',
    words: [
      { name: 'SOURCE', required: true },
      { name: 'PREFIX', required: false },
    ],
    options: {},
    hidden: true,
  },
];

/** The subcommand that the first words name, two words before one; `undefined` when there is none. */
export function findSubcommand(words: readonly string[]): SubcommandSpec | undefined {
  const named = (count: number): SubcommandSpec | undefined => {
    const name = words.slice(0, count).join(' ');
    return words.length < count ? undefined : subcommands.find((spec) => spec.name === name);
  };
  return named(2) ?? named(1);
}
