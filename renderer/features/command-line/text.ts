import { common, type Value } from '#shared/text/common.ts';

/** Texts of command-line. */
export const t = {
  ...common,
  again: 'Again',
  allCommands: 'All commands',
  clear: 'Clear',
  commands: 'Commands',
  copyAsOf: (title: Value) => `Copy as ${title}`,
  copyOrSave: 'Copy or save…',
  copySaveAnswer: 'Copy or save the answer',
  intoLineAgain: (line: Value) => `Into the line again: ${line}`,
  intoTheLine: 'Into the line',
  linesRun: 'Lines that were run',
  noCommandCalled: 'No command is called that.',
  nothingRun: 'Nothing has been run yet.',
  nothingRunYet: 'Nothing has been run yet',
  recordsMade: 'The records made room for newer ones: run the line again.',
  saveAs: (title: Value) => `Save as ${title}`,
  searchTheCommands: 'Search the commands',
  typeCommand:
    'Type a command below: Tab completes, Ctrl R searches earlier lines. Changes ask before they are sent, and every command is written to the incident log.',
} as const;
