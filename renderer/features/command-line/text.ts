import {common, type Value} from '#shared/text/common.ts'

export const t = {
	...common,
	allCommands: 'All commands',
	clear: 'Clear',
	commands: 'Commands',
	copyAsOf: (title: Value) => `Copy as ${title}`,
	copyOrSave: 'Copy or save…',
	copySaveAnswer: 'Copy or save the answer',
	copyCommand: (line: Value) => `Copy to line: ${line}`,
	copyToLine: 'Copy to line',
	recentLines: 'Recent lines',
	noCommandName: 'No command has this name.',
	nothingRun: 'Nothing has been run yet.',
	nothingRunYet: 'Nothing has been run yet',
	theseRecords: 'These records are no longer stored. Run the line again.',
	saveAs: (title: Value) => `Save as ${title}`,
	searchTheCommands: 'Search the commands',
	typeCommand:
		'Type a command below. Tab completes, Ctrl R searches earlier lines. Changes need confirmation. The incident log records every command.',
} as const
