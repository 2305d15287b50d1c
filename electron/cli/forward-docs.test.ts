import {globSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

import {testFolder} from '#base/testing/folder.ts'
import {settingNames} from '#gateway/instances/config-file/assign.ts'
import {shapeOf, type Shape} from '#gateway/instances/config-file/keys.ts'
import {forwardFileSchema} from '#gateway/instances/config-file/schema.ts'
import {parameterKeys} from '#model/server-parameter.ts'

import {forwardingSubcommands} from './subcommands-forwarding.ts'
import {run} from './testing/run.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const text = readFileSync(join(root, 'docs', 'forwarding.md'), 'utf8')

function lacking(words: readonly string[]) {
	return words.filter(word => !text.includes(`\`${word}\``))
}

/** Last parts of all key names below. */
function keysBelow(shape: Shape): readonly string[] {
	const all = [shape, ...(shape.oneOf ?? []), ...(shape.anyOf ?? [])]
	return all.flatMap(({properties, items}) => [
		...Object.entries(properties ?? {}).flatMap(([key, inner]) => [key, ...keysBelow(inner)]),
		...(items === undefined ? [] : keysBelow(items))
	])
}

describe('docs/forwarding.md', () => {
	it('lists every reason that the log can give', () => {
		const folder = join(root, 'electron', 'gateway', 'forwarder')
		const files = globSync('**/*.ts', {cwd: folder}).filter(name => !/test|corpus|export-config/.test(name))
		const pattern =
			/(?:reason: |brokenAnswer\(\s*|notFound\(|unavailable\(|broken\(\d+, |denied\(\d+, |unauthorized\(|forbidden\(|tooMany\(|overloaded\(|failure\(\s*50\d,\s*|ended\('\w+', |refuse\((?:\d+, )?)'([a-z_]+)'/g
		const found = files.flatMap(name => [...readFileSync(join(folder, name), 'utf8').matchAll(pattern)].map(([, word = '']) => word))
		expect(new Set(found).size).toBeGreaterThan(60)
		expect(lacking([...new Set(found), 'idle', 'half_open'])).toEqual([])
	})

	it('knows every subcommand of forwarding', () => {
		const names = forwardingSubcommands.map(({name}) => name)
		expect(names.length).toBeGreaterThan(20)
		expect(names.filter(name => !text.includes(`\`${name}`) && !text.includes(`cordon ${name}`))).toEqual([])
	})

	it('knows every key of the file', () => {
		const shape = shapeOf(forwardFileSchema)
		const {listen = {}, instances = {}} = shape.properties ?? {}
		const first = Object.keys(instances.items?.properties ?? {})
		expect(first.length).toBeGreaterThan(20)
		expect(lacking([...first, ...keysBelow(listen)])).toEqual([])
		const access = instances.items?.properties?.['access'] ?? {}
		expect(lacking([...new Set(keysBelow(access))].filter(key => key !== 'kind'))).toEqual([])
		const nested = settingNames().flatMap(({name}) => (/^(?:limits|timeouts|healthCheck)\./.test(name) ? [name.split('.')[1] ?? ''] : []))
		expect(lacking(nested)).toEqual([])
		expect(lacking(parameterKeys)).toEqual([])
	})

	it('shows a valid configuration', async () => {
		const folder = testFolder()
		const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(text) ?? []
		writeFileSync(join(folder, 'key'), 'a signing key\n', {mode: 0o600})
		const path = join(folder, 'forward.yaml')
		writeFileSync(path, yaml.replace('/etc/cordon/slack-key', 'key'))
		expect(await run(['forward', '--config', path, '--check'])).toMatchObject({code: 0, err: ''})
	})
})
