/** Prints the table of layers and privileges as Markdown, for ARCHITECTURE.md. */
import {layers, privileges} from './table.mjs'

const cell = names => (names.length === 0 ? 'nothing' : names.map(name => `\`${name}\``).join(', '))

const lines = [
	'|layer|where|may import|packages|',
	'|-|-|-|-|',
	...layers.map(
		({name, path, imports, packages}) => `|${name}|\`${path === '' ? './*' : path}\`|${cell(imports)}|${cell(packages)}|`,
	),
	'',
	'|privilege|only in|',
	'|-|-|',
	...privileges.map(privilege => `|\`${privilege.name}\`|${cell(privilege.in)}|`),
]
process.stdout.write(`${lines.join('\n')}\n`)
