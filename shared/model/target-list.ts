/** Targets as text: lines, the first column of CSV, or JSON lines. */

const headers = /^"?(?:guid|connector_guid|hostname|name|group_guid|id)"?$/i

/** Pure. Skips only empty lines and those that begin with #. */
export function targetsIn(text: string): readonly string[] {
	const lines = text
		.replace(/^\u{feff}/u, '')
		.split(/\r?\n/)
		.map(line => line.trim())
		.filter(line => line !== '' && !line.startsWith('#'))
	const found = lines.map(targetOf)
	const [first = ''] = found
	return headers.test(first) ? found.slice(1) : found
}

function targetOf(line: string) {
	if (line.startsWith('{')) return guidIn(line)
	const [, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^,;\t]*))/.exec(line) ?? []
	return (quoted?.replaceAll('""', '"') ?? plain ?? '').trim()
}

function guidIn(line: string) {
	try {
		const record: unknown = JSON.parse(line)
		if (typeof record !== 'object' || record === null) return line
		for (const name of ['connector_guid', 'guid', 'id']) {
			const value: unknown = Reflect.get(record, name)
			if (typeof value === 'string') return value
		}
	} catch {
		// The plan reports it, with the line.
	}
	return line
}
