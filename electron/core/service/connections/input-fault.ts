import {invalidArgument} from '#contract/errors.ts'
import {inputTitles} from '#model/connection.ts'

/** `problem` completes "The name …". */
export function invalidField(field: string, problem: string) {
	return invalidArgument(`${inputTitles[field] ?? field} ${problem}.`, field)
}
