/** Applies the worked examples of CONTRIBUTING.md to a copy of the checkout, compiles and runs them, so that they stay true. */
import {execFileSync} from 'node:child_process'
import {cpSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'

import {fileFolder} from '#base/testing/folder.ts'
import {at, root} from './lib/paths.mjs'

const text = readFileSync(at('CONTRIBUTING.md'), 'utf8')
const diffs = text.split(/^### /m).flatMap(section => {
	const [, diff] = /^```diff\n([^]*?)^```$/m.exec(section) ?? []
	if (diff === undefined) return []
	const files = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file)
	return [{title: section.slice(0, section.indexOf('\n')), diff, files}]
})

const copy = fileFolder()

beforeAll(() => {
	const tracked = execFileSync('git', ['ls-files', '-z', ':!docs'], {cwd: root, encoding: 'utf8'})
	for (const name of tracked.split('\0').filter(each => each !== '')) {
		mkdirSync(join(copy, dirname(name)), {recursive: true})
		cpSync(at(name), join(copy, name))
	}
	symlinkSync(at('node_modules'), join(copy, 'node_modules'), 'dir')
})

test('each is of at most three files besides tests', () => {
	expect(diffs.map(({title}) => title)).toEqual(['A command', 'A local copy', 'A live event', 'A screen'])
	for (const {title, files} of diffs) expect(files.filter(file => !file.includes('.test.')).length, title).toBeLessThanOrEqual(3)
})

// The examples start compilers and test runners of their own.
test('they apply, compile and run', () => {
	for (const {diff} of diffs) execFileSync('git', ['apply', '-'], {cwd: copy, input: diff})
	const tool = (path: string, ...args: string[]) =>
		execFileSync(process.execPath, [join('node_modules', path), ...args], {cwd: copy, stdio: 'pipe', encoding: 'utf8'})
	tool('typescript/bin/tsc', '--build', 'electron/core', 'renderer')
	const titles = 'reading command|24 commands|until they are forgotten|tells pages that a command|found by their folder'
	const tests = diffs.flatMap(({files}) => files.filter(file => file.includes('.test.')))
	const report = join(copy, 'report.json')
	tool('vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...tests, '-t', titles)
	expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({success: true, numPassedTests: 5, numFailedTests: 0})
})
