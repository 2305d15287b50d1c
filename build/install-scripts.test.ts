import {readFileSync} from 'node:fs'

import {z} from 'zod'

function read(name: string): unknown {
	return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
}

const {packages} = z
	.object({packages: z.record(z.string(), z.object({hasInstallScript: z.boolean().optional()}))})
	.parse(read('package-lock.json'))
const {allowScripts} = z.object({allowScripts: z.record(z.string(), z.boolean())}).parse(read('package.json'))

test('every package with an install script has a decision', () => {
	const wanting = Object.entries(packages).filter(([, {hasInstallScript}]) => hasInstallScript === true)
	const names = wanting.map(([path]) => path.replace(/^.*node_modules\//, ''))
	expect(names).toContain('node')
	expect(names.filter(name => allowScripts[name] === undefined)).toEqual([])
})

test('only the Node runtime may', () => {
	expect(Object.keys(allowScripts).filter(name => allowScripts[name] === true)).toEqual(['node'])
})
