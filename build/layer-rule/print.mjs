/** Prints the table of layers and privileges as Markdown, for ARCHITECTURE.md. */
import {layers, privileges} from './table.mjs'

const cell = names => (names.length === 0 ? 'nothing' : `\`${names.join(', ')}\``)

const lines = [
	'|layer|where (else at its name, or at that in `electron/`)|may import, beside itself|packages|',
	'|-|-|-|-|',
	...layers.map(({name, path, imports, packages}) => {
		const where = [name, `electron/${name}`].includes(path) ? '' : `\`${path === '' ? './*' : path}\``
		return `|${name}|${where}|${cell(imports.filter(one => one !== name))}|${cell(packages)}|`
	}),
	'',
	'|privilege|only in|',
	'|-|-|',
	...privileges.map(privilege => `|\`${privilege.name}\`|${cell(privilege.in)}|`)
]
process.stdout.write(`${lines.join('\n')}\n`)
