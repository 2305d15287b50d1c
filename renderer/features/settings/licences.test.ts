import {readFileSync} from 'node:fs'
import {join} from 'node:path'

import {licences} from './SettingsScreen.tsx'

const root = join(import.meta.dirname, '..', '..', '..')

function read(...path: string[]) {
	return JSON.parse(readFileSync(join(root, ...path), 'utf8')) as {[name: string]: unknown} // a package.json
}

test('every package that Cordon is built from is named with the version and licence that are installed', () => {
	const names = [...Object.keys(read('package.json')['dependencies'] ?? {}), 'electron'].toSorted()
	const installed = names.map(name => {
		const {version, license} = read('node_modules', name, 'package.json')
		return [name, version, license]
	})
	expect(licences).toEqual(installed)
})
