import {execFileSync} from 'node:child_process'
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {at, root} from './lib/paths.mjs'

const megabyte = 2 ** 20

function tracked(...patterns: string[]) {
	const names = execFileSync('git', ['ls-files', '-z', ...patterns], {cwd: root, encoding: 'utf8'})
	return names.split('\0').filter(name => name !== '' && statSync(at(name), {throwIfNoEntry: false}) !== undefined)
}

function weight(names: string[]) {
	return names.reduce((sum, name) => sum + statSync(at(name)).size, 0)
}

test('tracked files weigh at most 10 MB together', () => {
	const names = tracked()
	expect(names.length).toBeGreaterThan(1000)
	expect(weight(names)).toBeLessThan(10 * megabyte)
})

test('at most twelve pictures stay, as WebP, under 2 MB together', () => {
	const pictures = readdirSync(at('docs', 'images')).map(name => join('docs', 'images', name))
	expect(pictures.length).toBeGreaterThan(0)
	expect(pictures.length).toBeLessThanOrEqual(12)
	expect(pictures.filter(name => !name.endsWith('.webp'))).toEqual([])
	expect(weight(pictures)).toBeLessThan(2 * megabyte)
})

test('the README is at most 9 KB', () => {
	expect(statSync(at('README.md')).size).toBeLessThanOrEqual(9 * 1024)
})

test('no table is padded to columns', () => {
	const padded = tracked('*.md').flatMap(name =>
		readFileSync(at(name), 'utf8')
			.replaceAll(/^```[^]*?^```/gm, '')
			.split('\n')
			.filter(line => /[^|\s] {2,}\|/.test(line) && line.startsWith('|'))
			.map(line => `${name}: ${line.slice(0, 60)}`)
	)
	expect(padded).toEqual([])
})
