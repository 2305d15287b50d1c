/** What the command line knows beside the catalogue: reading, help and completion are derived from these declarations. */
import { connectionColours } from '#shared/model/connection.ts';

import { forwardingSubcommands } from './subcommands-forwarding.ts';
import { jobSubcommands } from './subcommands-jobs.ts';
import { listSubcommands } from './subcommands-lists.ts';
import { undoSubcommands } from './subcommands-undo.ts';

export interface OptionSpec {
  /** What follows it: nothing, a text, or a number that may be left out. */
  readonly takes: 'nothing' | 'text' | 'number_or_nothing';
  /** Name of the value in help. */
  readonly value?: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** May be given several times. */
  readonly many?: true;
  readonly hidden?: true;
}

export interface WordSpec {
  readonly name: string;
  readonly required: boolean;
  readonly choices?: readonly string[];
}

export interface SubcommandSpec {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  readonly words: readonly WordSpec[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly hidden?: true;
}

export const globalOptions = {
  profile: { takes: 'text', value: 'DIR', summary: 'Keep connections, log and local copy here.' },
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
    summary: 'Wait for the request budget no longer than this (3600 without it).',
  },
  help: { takes: 'nothing', summary: 'Show help.' },
  version: { takes: 'nothing', summary: 'Show the version of this program.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

const logFilter = {
  text: { takes: 'text', value: 'TEXT', summary: 'Only entries that hold this text.' },
  writes: { takes: 'nothing', summary: 'Only changes.' },
  since: {
    takes: 'text',
    value: 'TIME',
    summary: 'Only entries from this time on: ISO 8601, or an age such as 30m, 12h, 7d.',
  },
  command: { takes: 'text', value: 'NAME', summary: 'Only entries of this command.' },
  target: { takes: 'text', value: 'GUID', summary: 'Only entries about this object.' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

const connectionName = { name: 'NAME', required: true } as const;

export const subcommands: readonly SubcommandSpec[] = [
  { name: 'connections list', summary: 'List the connections of the profile.', words: [], options: {} },
  {
    name: 'connections add',
    summary:
      'Add a connection, with --server URL (or NAM, EU, APJC) and --client-id ID; the key comes from --api-key-file FILE or is asked for.',
    words: [connectionName],
    options: {
      'read-only': { takes: 'nothing', summary: 'Refuse every change on it; so it is without --writable.' },
      writable: { takes: 'nothing', summary: 'Allow changes on it.' },
      environment: { takes: 'text', value: 'NAME', summary: 'What it is.', choices: ['production', 'test'] },
      colour: {
        takes: 'text',
        value: 'NAME',
        summary: 'The colour that frames its window.',
        choices: connectionColours,
      },
    },
  },
  {
    name: 'connections test',
    summary: 'Test a connection, stage by stage.',
    words: [{ name: 'NAME', required: false }],
    options: {},
  },
  { name: 'connections remove', summary: 'Remove a connection and its key.', words: [connectionName], options: {} },
  {
    name: 'connections lock',
    summary: 'Turn writing off at once, for every process on the profile.',
    words: [connectionName],
    options: {},
  },
  { name: 'connections unlock', summary: 'Turn writing on again.', words: [connectionName], options: {} },
  {
    name: 'log',
    summary: 'Show the incident log, newest last.',
    words: [],
    options: {
      follow: { takes: 'nothing', summary: 'Go on with new entries as they come.' },
      limit: { takes: 'text', value: 'N', summary: 'How many entries (200 without it).' },
      ...logFilter,
    },
  },
  {
    name: 'log export',
    summary: 'Write all matching entries to standard output, oldest first.',
    words: [],
    options: {
      format: { takes: 'text', value: 'FORMAT', summary: 'How to write them.', choices: ['jsonl', 'csv'] },
      ...logFilter,
    },
  },
  {
    name: 'log note',
    summary: 'Add a note to the incident log.',
    words: [{ name: 'TEXT', required: true }],
    options: { about: { takes: 'text', value: 'ENTRY', summary: 'The entry that it is about.' } },
  },
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
  ...listSubcommands,
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
      weather: { takes: 'text', value: 'RULE', summary: 'A fault to play, for an endpoint.', many: true },
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
    summary: 'Values of the local copy, for completion scripts.',
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
