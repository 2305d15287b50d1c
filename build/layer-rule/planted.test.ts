import {execFile} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {z} from 'zod'
import {at, root} from '../lib/paths.mjs'

const planted = 'build/layer-rule/planted'

const report = z.object({
	diagnostics: z.array(z.object({code: z.string(), filename: z.string(), labels: z.array(z.object({span: z.object({line: z.number()})}))}))
})

function files() {
	const entries = readdirSync(at(planted), {recursive: true, withFileTypes: true})
	return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name).slice(root.length))
}

/** `file:line rule` for each rule that a line claims to break, as often as it breaks it. */
function expected() {
	return files().flatMap(file =>
		readFileSync(at(file), 'utf8')
			.split('\n')
			.flatMap((line, index) => expectations(file, line, index + 1))
	)
}

function expectations(file: string, line: string, number: number) {
	const [, rules] = line.split('// expect: ')
	return rules === undefined
		? []
		: rules
				.trim()
				.split(' ')
				.map(rule => `${file}:${number} ${rule}`)
}

/** The project's own configuration, without the pattern that keeps planted files out of the usual run. */
async function lint(): Promise<string[]> {
	mkdirSync(at('.cache'), {recursive: true})
	const folder = mkdtempSync(at('.cache', 'lint-'))
	const config = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(at('.oxlintrc.json'), 'utf8')))
	const file = join(folder, 'oxlintrc.json')
	writeFileSync(file, JSON.stringify({...config, ignorePatterns: [], jsPlugins: [at('build', 'layer-rule', 'plugin.mjs')]}))
	try {
		const {diagnostics} = report.parse(JSON.parse(await oxlint(['-c', file, '-f', 'json', planted])))
		return diagnostics.map(({code, filename, labels}) => `${filename}:${labels[0]?.span.line ?? 0} ${code}`)
	} finally {
		rmSync(folder, {recursive: true})
	}
}

function oxlint(args: string[]): Promise<string> {
	const script = at('node_modules', 'oxlint', 'bin', 'oxlint')
	return new Promise(resolve => {
		// It exits with 1 because it has findings, which is the point.
		execFile(process.execPath, [script, ...args], {cwd: root, maxBuffer: 64 << 20}, (_error, stdout) => resolve(stdout))
	})
}

test('every planted violation is reported, and nothing else', async () => {
	const found = await lint()
	expect(expected().length).toBeGreaterThan(40)
	const ours = found.filter(line => / (cordon\(|typescript\(no-|import\(no-default|react\(no-danger)/.test(line))
	expect(ours.toSorted()).toEqual(expected().toSorted())
})
