import {rmSync} from 'node:fs'

import {cached, root} from './paths.mjs'
import {readJson} from './read-json.mjs'
import {say} from './say.mjs'
import {tool} from './tools.mjs'

/** More failed files than this are no lost race. */
const mostFilesAgain = 3
const mostLines = 12

/** On a shared runner, files with a failed test run once more, alone, and are named. */
export function unitTests(node, only = []) {
	const first = vitest(node, 'vitest.json', only)
	const files = [...new Set(first.failures.map(({file}) => file))]
	if (process.env.CI === undefined || files.length === 0 || files.length > mostFilesAgain) return first
	say(`  Once more, with nothing beside it: ${files.join(', ')}`)
	return afterSecondTry(first, vitest(node, 'vitest-again.json', files, ['--maxWorkers=1']))
}

function vitest(node, name, files, how = []) {
	const file = cached(name)
	rmSync(file, {force: true})
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
	const {ok} = tool(node, 'vitest', ['run', '--mode=built', ...reporters, ...how, ...files])
	return resultOf(readJson(file), ok)
}

export function resultOf(report, ok) {
	const {numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, testResults = []} = report
	const failures = testResults.filter(({status}) => status === 'failed').flatMap(failuresOf)
	// A file that does not load has no tests, and still fails.
	const failed = ok ? 0 : Math.max(numFailedTests, 1)
	return {passed: numPassedTests, failed, skipped: numPendingTests, failures, notes: failures.map(inWords)}
}

function failuresOf({name, message, assertionResults}) {
	const file = name.replace(root, '')
	const tests = assertionResults.filter(({status}) => status === 'failed')
	if (tests.length === 0) return [{file, title: 'the file itself', reason: message}]
	return tests.map(({fullName, failureMessages}) => ({file, title: fullName, reason: failureMessages.join('\n')}))
}

/** A test that passed alone counts as passed and is named; one that failed twice has failed. */
export function afterSecondTry(first, second) {
	if (second.failed > 0) return {...first, notes: [...first.notes, ...second.notes.map(note => `again: ${note}`)]}
	const notes = first.notes.map(note => `needed a second try: ${note}`)
	return {...first, passed: first.passed + first.failed, failed: 0, notes}
}

function inWords({file, title, reason}) {
	const lines = reason.split('\n').slice(0, mostLines)
	return [`${file} › ${title}`, ...lines.map(line => `    ${line}`)].join('\n')
}
