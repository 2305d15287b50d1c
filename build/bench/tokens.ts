/**
 * Counts tokens of source without tests, comments and blank lines, by area, in one revision or several:
 * `CORDON_BENCH_REVISIONS=72d8acb,HEAD npm run bench -- tokens`; HEAD without it. A token is an identifier, a literal, a
 * punctuator or a piece of a template, so that neither formatting nor the length of names changes the sum.
 */
import {execFileSync} from 'node:child_process'

import jsTokens from 'js-tokens'

const areas = {
	'electron/': /^electron\//u,
	'electron/core, gateway': /^electron\/(core|gateway)\//u,
	'electron/cli': /^electron\/cli(\/|\.ts$)/u,
	'shared/': /^shared\//u,
	'renderer/ (styles included)': /^renderer\//u
}
const skipped = /\.test\.tsx?$|\/(testing|fixtures)\//u
const blank = new Set(['WhiteSpace', 'LineTerminatorSequence', 'MultiLineComment', 'SingleLineComment', 'JSXText'])

export async function benchTokens() {
	const revisions = (process.env['CORDON_BENCH_REVISIONS'] ?? 'HEAD').split(',')
	const counts = revisions.map(countRevision)
	const rows = Object.keys(areas).map(area => `|${[area, ...cells(area, counts)].join('|')}|`)
	const head = ['Area', ...revisions.flatMap(name => [`Tokens, ${name}`, 'Files']), 'Last to first']
	return [`|${head.join('|')}|`, `|${head.map(() => '-').join('|')}|`, ...rows].join('\n')
}

type Counts = ReadonlyMap<string, {tokens: number; files: number}>

function cells(area: string, counts: readonly Counts[]): readonly string[] {
	const found = counts.map(count => count.get(area) ?? {tokens: 0, files: 0})
	const ratio = (found.at(-1)?.tokens ?? 0) / (found[0]?.tokens ?? 1)
	return [...found.flatMap(({tokens, files}) => [String(tokens), String(files)]), ratio.toFixed(3)]
}

function countRevision(revision: string): Counts {
	const listed = git(['ls-tree', '-r', '--name-only', revision]).split('\n')
	const paths = listed.filter(path => /\.(tsx?|css)$/u.test(path) && !skipped.test(path))
	const counts = new Map<string, {tokens: number; files: number}>()
	for (const path of paths) {
		const found = Object.entries(areas).filter(([, pattern]) => pattern.test(path))
		if (found.length === 0) continue
		const tokens = countTokens(path, git(['show', `${revision}:${path}`]))
		for (const [area] of found) {
			const sum = counts.get(area) ?? {tokens: 0, files: 0}
			counts.set(area, {tokens: sum.tokens + tokens, files: sum.files + 1})
		}
	}
	return counts
}

function countTokens(path: string, text: string) {
	if (path.endsWith('.css')) return text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').match(/[\w#.%@-]+|[^\s\w]/gu)?.length ?? 0
	let count = 0
	for (const {type} of jsTokens(text, {jsx: path.endsWith('.tsx')})) if (!blank.has(type)) count += 1
	return count
}

function git(args: readonly string[]) {
	return execFileSync('git', args, {encoding: 'utf8', maxBuffer: 1 << 28})
}
