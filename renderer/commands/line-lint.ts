import {parseLine, type LineProblem} from '#shared/commands/parse.ts'

import {helpTopic} from './help-topic.ts'

/**
 * Problems of a typed line. During typing, the word at the caret and missing arguments do not count yet; after an
 * attempt, everything counts.
 */
export function lintLine(line: string, isTried: boolean): readonly LineProblem[] {
	if (line.trim() === '' || helpTopic(line) !== null) return []
	const {problems, spec} = parseLine(line)
	if (isTried) return problems
	const isTypingName = spec === undefined && !line.trimStart().includes(' ')
	return isTypingName ? [] : problems.filter(problem => !problem.missing && problem.to < line.length)
}

/**
 * Where an attempted line has a text that local data can resolve, such as a host name in place of a GUID;
 * `null` when its first problem is another one.
 */
export function problemToChoose(line: string): LineProblem | null {
	const {problems, spec} = parseLine(line)
	const [problem] = problems
	if (spec === undefined || problem?.code !== 'invalid_argument' || problem.field === null || problem.missing) return null
	const arg = Object.hasOwn(spec.args, problem.field) ? spec.args[problem.field] : undefined
	return arg?.complete === undefined ? null : problem
}

/** The text itself, such as `FIN-`. */
export function nameToChoose(line: string): string | null {
	const problem = problemToChoose(line)
	return problem && line.slice(problem.from, problem.to).replace(/^[A-Za-z_][\w-]*=/, '')
}
