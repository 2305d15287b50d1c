import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

const head = `# All pictures

Every screen as \`node build/screenshots.mjs --all\` meets it on the sandbox tenant, in light and dark: usual, empty and
failed, at 1280 x 800, those named "wide" at 1920 x 1080.
`

/** A page with a folder's pictures by name, light above dark. */
export function writeGallery(folder) {
	const pictures = readdirSync(folder).filter(name => name.endsWith('.webp'))
	const nameOf = picture => picture.replace(/(-light|-dark)?\.webp$/, '')
	const names = [...new Set(pictures.map(nameOf))].toSorted()
	const parts = names.map(name =>
		partOf(
			name,
			pictures.filter(picture => nameOf(picture) === name)
		)
	)
	writeFileSync(join(folder, 'README.md'), [head, ...parts].join('\n'))
}

function partOf(name, pictures) {
	const words = name.replaceAll('-', ' ')
	const title = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
	const shown = pictures.toSorted().toReversed()
	return [`## ${title}`, '', ...shown.map(file => `![${file.replace('.webp', '')}](${file})`), ''].join('\n')
}
