import {fold} from '#model/fold.ts'

/** A condition on `computer`; every value of the operator is a parameter. */
export interface Condition {
	readonly sql: string
	readonly params: readonly (string | number)[]
}

export function joined(conditions: readonly Condition[], word: ' AND ' | ' OR '): Condition {
	if (conditions.length === 0) return {sql: '1', params: []}
	return {sql: `(${conditions.map(condition => condition.sql).join(word)})`, params: conditions.flatMap(condition => condition.params)}
}

/** Contains, is, or has the form; `column` is one of the names above, never typed text. */
export function matching(column: string, parts: readonly string[], whole: boolean): Condition {
	if (parts.length > 1) return {sql: `${column} GLOB ?`, params: [globOf(parts)]}
	const text = fold(parts.join(''))
	return whole ? {sql: `${column} = ?`, params: [text]} : {sql: `instr(${column}, ?) > 0`, params: [text]}
}

/** GLOB knows `*`, `?` and `[`; in brackets each stands for itself. */
function globOf(parts: readonly string[]) {
	return parts.map(part => fold(part).replaceAll(/[*?[]/g, '[$&]')).join('*')
}
