import {asCordonError} from './errors.ts'

/** A text that comes in pieces, with what is told of it after the last. */
export async function whole<T extends object>(iterator: AsyncIterator<string, T>): Promise<T & {text: string}> {
	const pieces: string[] = []
	try {
		for (;;) {
			const step = await iterator.next()
			if (step.done === true) return {...step.value, text: pieces.join('')}
			pieces.push(step.value)
		}
	} catch (error) {
		throw asCordonError(error)
	}
}
