/** Whether it is an object of JSON. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function member(value: unknown, name: string | number): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** `undefined` for a text that is no JSON. */
export function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return undefined
	}
}
