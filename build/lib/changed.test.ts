import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {execFileSync} from 'node:child_process'
import {join} from 'node:path'

import {allTests, changedFiles, testsNear} from './changed.mjs'
import {testFolder} from '#base/testing/folder.ts'

test('tests that changed, those beside changed code, and those that import it are near', () => {
	const texts: Readonly<Record<string, string>> = {
		'a/own.test.ts': '',
		'b/beside.test.ts': '',
		'c/user.test.ts': "import { x } from '#shared/b/code.ts';",
		'd/far.test.ts': "import { y } from './other-code.ts';"
	}
	const near = testsNear(['a/own.test.ts', 'b/code.ts', 'README.md'], Object.keys(texts), file => texts[file] ?? '')
	expect(near).toEqual(['a/own.test.ts', 'b/beside.test.ts', 'c/user.test.ts'])
	expect(testsNear(['README.md'], Object.keys(texts), file => texts[file] ?? '')).toEqual([])
})

test('git reports the changed and new files of a work tree, no deleted ones', () => {
	const folder = testFolder()
	const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {cwd: folder})
	git('init', '-q')
	mkdirSync(join(folder, 'a'))
	for (const name of ['a/kept.ts', 'a/changed.ts', 'gone.ts']) writeFileSync(join(folder, name), '1')
	git('add', '.')
	git('commit', '-q', '-m', 'first')
	writeFileSync(join(folder, 'a', 'changed.ts'), '2')
	writeFileSync(join(folder, 'new.ts'), '1')
	rmSync(join(folder, 'gone.ts'))
	expect(changedFiles('HEAD', folder)).toEqual(['a/changed.ts', 'new.ts'])
	expect(() => changedFiles('nothing-of-that-name', folder)).toThrow('cannot be told')
})

test('all tests of the project are known', () => {
	expect(allTests()).toContain('build/lib/changed.test.ts')
})
