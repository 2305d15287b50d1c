/** The subcommands of event streams. */
import type { SubcommandSpec } from './subcommand-spec.ts';

export const streamSubcommands: readonly SubcommandSpec[] = [
  {
    name: 'stream list',
    summary: 'List the event streams of the organisation; it may have five.',
    words: [],
    options: {},
  },
  {
    name: 'stream create',
    summary: 'Create an event stream for this profile; its password goes into the secret store.',
    words: [],
    options: {
      name: { takes: 'text', value: 'NAME', summary: 'Its name at the service (your user name without it).' },
      'event-type': { takes: 'text', value: 'ID', summary: 'Only events of this type (all without it).', many: true },
      group: { takes: 'text', value: 'GUID', summary: 'Only events of this group (all without it).', many: true },
    },
  },
  {
    name: 'stream delete',
    summary: 'Delete the event stream of this profile, or the one with that ID.',
    words: [{ name: 'ID', required: false }],
    options: {},
  },
  {
    name: 'stream follow',
    summary: 'Store events as they happen, until stopped.',
    words: [],
    options: {},
  },
  {
    name: 'stream status',
    summary: 'Show whether the event stream is live, its last message and its lag.',
    words: [],
    options: {},
  },
  {
    name: 'stream unreadable',
    summary: 'Show messages of the event stream that are no event.',
    words: [],
    options: {
      limit: { takes: 'text', value: 'N', summary: 'How many at most, newest first.' },
    },
  },
];
