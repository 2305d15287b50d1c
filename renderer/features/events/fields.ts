import {stringifyExact, type Json} from '#model/exact-json.ts'

export interface Field {
	/** Path of the field, such as `file.identity.sha256`. */
	path: string
	text: string
}

/** All values of a record with their paths and all digits. Shows empty lists and objects as such. */
export function fieldsOf(value: Json, path = ''): readonly Field[] {
	if (typeof value !== 'object' || value === null) return [{path, text: typeof value === 'string' ? value : stringifyExact(value)}]
	const entries = Object.entries(value)
	if (entries.length === 0) return [{path, text: Array.isArray(value) ? 'none' : '{}'}]
	return entries.flatMap(([key, inner]) => {
		const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
		return fieldsOf(inner, `${path}${step}`)
	})
}
