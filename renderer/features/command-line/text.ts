import {common, type Texts} from '#text/common.ts'

export const t = {
	...common,
	allCommands: 'All commands',
	clear: 'Clear',
	commands: 'Commands',
	copyAsOf: title => `Copy as ${title}`,
	copyOrSave: 'Copy or save…',
	copySaveAnswer: 'Copy or save the answer',
	copyCommand: line => `Copy to line: ${line}`,
	copyToLine: 'Copy to line',
	recentLines: 'Recent lines',
	noCommandName: 'No command has this name.',
	nothingRun: 'Nothing has been run yet.',
	nothingRunYet: 'Nothing has been run yet',
	theseRecords: 'These records are no longer stored. Run the line again.',
	saveAs: title => `Save as ${title}`,
	searchTheCommands: 'Search the commands',
	typeCommand:
		'Type a command below. Tab completes, Ctrl R searches earlier lines. Changes need confirmation. The incident log records every command.'
} as const satisfies Texts
