/** Collects lines, and what the engine cannot do. */

export interface Report {
	/** The lines of a comment, for the place where the rule would stand. */
	impossible(text: string): string
	readonly all: readonly string[]
}

export function createReport(): Report {
	const all = new Set<string>()
	return {
		impossible: text => {
			all.add(text)
			return `# not possible here: ${text}`
		},
		get all() {
			return [...all]
		},
	}
}

export function indented(lines: readonly (string | readonly string[])[], by = '    '): string {
	return lines
		.flat()
		.map(line => (line === '' ? '' : `${by}${line}`))
		.join('\n')
}
