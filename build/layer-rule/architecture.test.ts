import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

import {circlesIn} from './circles.mjs'
import {layers} from './table.mjs'

function read(path: string) {
	return readFileSync(new URL(path, import.meta.url), 'utf8')
}

test('the table in ARCHITECTURE.md is the enforced one', () => {
	const [, written = ''] = read('../../ARCHITECTURE.md').split(/<!-- layer-table:(?:begin|end) -->/)
	const printed = execFileSync(process.execPath, [fileURLToPath(new URL('print.mjs', import.meta.url))], {encoding: 'utf8'})
	expect(printed.split('\n').length).toBeGreaterThan(30)
	expect(written.trim(), 'put the output of "node build/layer-rule/print.mjs" between the markers').toBe(printed.trim())
})

function sources(): ReadonlyMap<string, string> {
	const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
		cwd: fileURLToPath(new URL('../../', import.meta.url)),
		encoding: 'utf8'
	})
	const paths = listed.split('\n').filter(path => path !== '' && !path.startsWith('build/layer-rule/planted/'))
	return new Map(paths.flatMap(path => (isThere(path) ? [[path, read(`../../${path}`)] as const] : [])))
}

/** Git lists a deleted file until the deletion is committed. */
function isThere(path: string) {
	return existsSync(new URL(`../../${path}`, import.meta.url))
}

test('no files import one another in a circle, types included', () => {
	const texts = sources()
	expect(texts.size).toBeGreaterThan(1000)
	expect(circlesIn(texts)).toEqual([])
})

test('a circle is found, whatever kind of import closes it', () => {
	const texts = new Map([
		['electron/core/base/a.ts', "import { b } from './b.ts';"],
		['electron/core/base/b.ts', "const c = await import('#base/c.ts');"],
		['electron/core/base/c.ts', "import type {\n  A,\n} from './a.ts';"],
		['electron/core/base/d.ts', "import './c.ts';"]
	])
	expect(circlesIn(texts)).toEqual(['electron/core/base/a.ts > electron/core/base/b.ts > electron/core/base/c.ts > electron/core/base/a.ts'])
})

test('districts of core and gateway import only what stands above them in the table', () => {
	const names = layers.map(({name}) => name).filter(name => /^(core|gateway)/.test(name))
	const isMeant = (pattern: string, name: string) => pattern === name || (pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1)))
	// A file or a folder within a layer stands beside it.
	const upwards = layers.flatMap(({name, imports}) =>
		names
			.slice(names.includes(name) ? names.indexOf(name) + 1 : names.length)
			.filter(other => !other.startsWith(`${name}/`) && imports.some((pattern: string) => isMeant(pattern, other)))
			.map(other => `${name} > ${other}`)
	)
	expect(upwards).toEqual([])
})
