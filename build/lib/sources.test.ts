import {mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'

import {contentOf, signatureOf, sourceFiles} from './sources.mjs'
import {testFolder} from '#base/testing/folder.ts'

let checkout: string

beforeEach(() => {
	checkout = testFolder()
	const files = [
		'vite.config.ts',
		'package.json',
		'package-lock.json',
		'tsconfig.base.json',
		'shared/a.ts',
		'electron/core/b.ts',
		'renderer/c.tsx'
	]
	for (const file of [...files, 'shared/a.test.ts', 'electron/core/fixtures/d.json']) write(file, file)
})
function write(file: string, text: string) {
	mkdirSync(dirname(join(checkout, file)), {recursive: true})
	writeFileSync(join(checkout, file), text)
}

const signature = () => signatureOf(sourceFiles(checkout), checkout)
const content = () => contentOf(sourceFiles(checkout), checkout)

test('a changed, a new and a removed source make a build stale', () => {
	const before = [signature(), content()]
	write('electron/core/b.ts', 'changed')
	const changed = [signature(), content()]
	write('renderer/new.ts', '')
	const added = [signature(), content()]
	rmSync(join(checkout, 'renderer/new.ts'))
	rmSync(join(checkout, 'shared/a.ts'))
	expect(new Set([before, changed, added, [signature(), content()]].map(String)).size).toBe(4)
})

test('tests and their samples do not', () => {
	const before = [signature(), content()]
	write('shared/a.test.ts', 'changed')
	write('electron/core/fixtures/d.json', 'changed')
	expect([signature(), content()]).toEqual(before)
})

test('a touched file has another signature and the same content', () => {
	const before = [signature(), content()]
	utimesSync(join(checkout, 'shared/a.ts'), 1, 1)
	expect(signature()).not.toBe(before[0])
	expect(content()).toBe(before[1])
})
