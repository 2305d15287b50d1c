/** Collects lines, and rules that the engine cannot express. */

export interface Report {
	/** Comment lines in place of the rule. */
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

/** 0 means none, which nginx does not have and HAProxy warns of: a week. */
export function time(seconds: number) {
	return seconds === 0 ? '7d' : `${Math.max(1, Math.round(seconds * 1000))}ms`
}
