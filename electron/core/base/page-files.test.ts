import {writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {testFolder} from './testing/folder.ts'
import {loadPageFiles} from './page-files.ts'

test('a page names the scripts and styles with which it starts, and no other address', () => {
	const folder = testFolder()
	const head = `<link rel="icon" href="data:,"><script type="module" crossorigin src="/a/main.js"></script>
<link rel="modulepreload" href="/a/first.js" crossorigin><link rel="stylesheet" href="/a/first.css">`
	writeFileSync(join(folder, 'index.html'), head)
	expect(loadPageFiles(folder).named).toEqual(['/a/main.js', '/a/first.js', '/a/first.css'])
})
