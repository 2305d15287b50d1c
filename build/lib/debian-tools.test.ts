import {chmodSync, writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'

import {missingTools} from './debian-tools.mjs'
import {testFolder} from '#base/testing/folder.ts'

it('programs that tests need are looked for in the right places', () => {
	const folder = testFolder()
	for (const name of ['nginx', 'haproxy', 'curl']) {
		writeFileSync(join(folder, name), '')
		chmodSync(join(folder, name), 0o755)
	}
	expect(missingTools(['', folder].join(delimiter))).toEqual([])
})
