export function isStream(value: unknown): value is AsyncIterableIterator<unknown, unknown> {
	return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** A text that comes in pieces, with what is told of it after the last; its `head` comes first. */
export async function whole<T extends object>(
	stream: Promise<AsyncIterator<string, T & {head?: string}>> | AsyncIterator<string, T & {head?: string}>
): Promise<Omit<T, 'head'> & {text: string}> {
	const iterator = await stream
	const pieces: string[] = []
	for (;;) {
		const step = await iterator.next()
		if (step.done === true) {
			const {head = '', ...told} = step.value
			return {...told, text: head + pieces.join('')}
		}
		pieces.push(step.value)
	}
}
