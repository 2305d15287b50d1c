import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from './testing/folder.ts'
import {loadPageFiles} from './page-files.ts'

test('a page stays whole when its files are replaced, and only the address of a screen is the page itself', () => {
	const folder = testFolder()
	writeFileSync(join(folder, 'index.html'), '<p>')
	mkdirSync(join(folder, 'assets'))
	writeFileSync(join(folder, 'assets', 'a.js'), 'void 0')
	const files = loadPageFiles(folder)
	files.readAll()
	rmSync(join(folder, 'assets', 'a.js'))
	const found = ['/assets/a.js', '/computers', '/assets/b.js', '/b.js'].map(path => files.find(path)?.body.toString())
	expect(found).toEqual(['void 0', '<p>', undefined, undefined])
})
