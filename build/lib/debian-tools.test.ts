import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'

import {missingTools} from './debian-tools.mjs'

it('programs that tests need are looked for in the right places', () => {
	const folder = mkdtempSync(join(tmpdir(), 'cordon-tools-'))
	try {
		for (const name of ['nginx', 'haproxy', 'curl']) {
			writeFileSync(join(folder, name), '')
			chmodSync(join(folder, name), 0o755)
		}
		expect(missingTools(['', folder].join(delimiter))).toEqual([])
	} finally {
		rmSync(folder, {recursive: true, force: true})
	}
})
