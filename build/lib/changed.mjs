/** The work tree's changes, and the tests nearest to them. */
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {basename, dirname, join, relative} from 'node:path'

import {at, root} from './paths.mjs'
import {runTool} from './run.mjs'

const code = /\.(?:ts|tsx|mjs)$/
const test = /\.test\.tsx?$/

/** Files that differ from `ref` or are new, relative to the project, without deleted ones. */
export function changedFiles(ref = 'HEAD', cwd = root) {
	const asked = [
		['diff', '--name-only', '--diff-filter=d', ref, '--'],
		['ls-files', '--others', '--exclude-standard']
	]
	const lists = asked.map(args => {
		const {ok, output} = runTool('git', args, {quiet: true, cwd})
		if (!ok) throw new Error(`What changed since ${ref} cannot be told: ${output.trim()}`)
		return output.split('\n')
	})
	return [...new Set(lists.flat())].filter(file => file !== '')
}

/** Changed tests, tests in folders of changed code, and tests that import it directly. The full check covers the rest. */
export function testsNear(changed, tests, read = file => readFileSync(at(file), 'utf8')) {
	const sources = changed.filter(file => code.test(file) && !test.test(file))
	const folders = new Set(sources.map(file => dirname(file)))
	const names = sources.map(file => `/${basename(file)}'`)
	const imports = file => {
		const text = read(file)
		return names.some(name => text.includes(name))
	}
	return tests.filter(file => changed.includes(file) || folders.has(dirname(file)) || (names.length > 0 && imports(file)))
}

export function allTests() {
	return ['build', 'electron', 'renderer', 'shared']
		.filter(folder => existsSync(at(folder)))
		.flatMap(folder => readdirSync(at(folder), {recursive: true, withFileTypes: true}))
		.filter(entry => entry.isFile() && test.test(entry.name))
		.map(entry => relative(root, join(entry.parentPath, entry.name)))
}
