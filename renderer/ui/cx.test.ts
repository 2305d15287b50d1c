import {globSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'

const renderer = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(renderer, path), 'utf8')

test('every class that a component takes from its styles is there', () => {
	const missing = globSync('**/*.tsx', {cwd: renderer}).flatMap(path => {
		const text = read(path)
		const [, from] = /import styles from '(.*css)'/.exec(text) ?? []
		if (from === undefined) return []
		const css = read(from.startsWith('#') ? from.slice(1) : join(dirname(path), from))
		const names = [...text.matchAll(/\bstyles(?:\.|\[')(\w+)/g)].map(([, name]) => name)
		return names.filter(name => !new RegExp(`\\.${name}\\b`).test(css)).map(name => `${path}: ${name}`)
	})
	expect(missing).toEqual([])
})

test('a shortcut with Shift says so on every cap, with a capital', () => {
	const sources = globSync('**/*.tsx', {cwd: renderer}).map(read).join('')
	expect(sources.match(/<KeyCap keys="(?:[A-Z]|Shift\+[a-z])"/g)).toBeNull()
})
