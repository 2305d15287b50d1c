/** Collects lines, and rules that the engine cannot express. */
import type {ForwardedInstance} from '../types.ts'

export type Report = ReturnType<typeof createReport>

export function createReport() {
	const all = new Set<string>()
	return {
		/** Comment lines in place of the rule. */
		impossible: (text: string) => {
			all.add(text)
			return `# not possible here: ${text}`
		},
		get all() {
			return [...all]
		}
	}
}

export function indented(lines: readonly (string | readonly string[])[], by = '    ') {
	return lines
		.flat()
		.map(line => (line === '' ? '' : `${by}${line}`))
		.join('\n')
}

/** 0 means none, which nginx does not have and HAProxy warns of: a week. */
export function time(seconds: number) {
	return seconds === 0 ? '7d' : `${Math.max(1, Math.round(seconds * 1000))}ms`
}

/** How long an instance may send nothing: neither engine tells the first byte from later ones. */
export function waits({firstByteS, idleS, minRate}: ForwardedInstance['timeouts'], report: Report) {
	return {
		silence: time(firstByteS === 0 || idleS === 0 ? 0 : Math.max(firstByteS, idleS)),
		notes: [
			...(firstByteS === idleS ? [] : [report.impossible('a first byte and an idle time that differ; the longer one counts')]),
			...(minRate > 0 ? [report.impossible('a lowest rate for the bodies of requests')] : [])
		]
	}
}
