import {existsSync} from 'node:fs'

import {allTests, changedFiles, testsNear} from './changed.mjs'
import {at} from './paths.mjs'
import {runTool} from './run.mjs'
import {say, step} from './say.mjs'
import {tool} from './tools.mjs'
import {unitTests} from './unit-tests.mjs'

/** Counts each test as one, and a step without tests as one. */
export function counted(ok) {
	return {passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0}
}

/** Only types reveal an append or a stop that nobody awaits: it looks like any other call. */
function promises(node) {
	if (!existsSync(at('node_modules', '@oxlint-tsgolint', `${process.platform}-${process.arch}`)))
		return {...counted(true), notes: ['Promises that nobody awaits were not looked for: oxlint-tsgolint is not here.']}
	const args = ['--format', 'stylish', '--type-aware', '--config', at('build', 'promises.oxlintrc.json')]
	return counted(tool(node, 'oxlint', [...args, 'electron', 'shared', 'renderer', 'build', 'e2e']).ok)
}

/** The steps of `npm run check`, fastest failures first. */
export const checks = [
	{name: 'Format (oxfmt)', run: node => counted(tool(node, 'oxfmt', ['--check']).ok)},
	{name: 'Lint and layer rule (oxlint)', run: node => counted(tool(node, 'oxlint', ['--format', 'stylish']).ok)},
	{name: 'Promises are awaited (oxlint with types)', run: promises},
	{name: 'Types (tsc)', run: node => counted(tool(node, 'tsc', ['--build']).ok)},
	{name: 'Nothing unused (knip)', run: node => counted(tool(node, 'knip', []).ok)},
	{name: 'Generated reference is current', run: node => counted(runTool(node, [at('build', 'generate-docs.ts'), '--check']).ok)},
	{name: 'Unit and integration tests (vitest)', run: node => unitTests(node)}
]

/** The same for changes since a revision: the checks that always cover all code, and the tests nearby. */
export function checksOfChanges(ref) {
	const near = testsNear(changedFiles(ref), allTests())
	const name = `Tests near what changed (vitest, ${near.length} files)`
	const tests = {name, run: node => (near.length === 0 ? counted(true) : unitTests(node, near))}
	return [...checks.slice(0, -1), tests]
}

/** Runs all steps in turn; returns the sums and the names of those that failed. */
export async function runSteps(steps, node) {
	const sum = {passed: 0, failed: 0, skipped: 0, broken: [], notes: []}
	for (const {name, run} of steps) {
		const result = await step(name, () => run(node))
		for (const key of ['passed', 'failed', 'skipped']) sum[key] += result[key]
		if (result.failed > 0) sum.broken.push(name)
		sum.notes.push(...(result.notes ?? []))
	}
	return sum
}

/** Prints what failed, then the one line that ends every run. Returns the exit code. */
export function conclude({passed, failed, skipped, broken, notes}) {
	for (const note of notes) say(note)
	for (const name of broken) say(`FAILED: ${name}`)
	if (skipped > 0) say(`${skipped} skipped`)
	process.stdout.write(`${passed} passed, ${failed} failed\n`)
	return failed === 0 ? 0 : 1
}
