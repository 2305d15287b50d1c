import {readFileSync} from 'node:fs'

import {version} from './version.ts'

test('the program knows the version it is packaged under', () => {
	const packaged: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
	expect(packaged).toMatchObject({version})
})
