import type {Look, Tone} from './Tag.tsx'

/** A state: always a shape and a word, never colour alone. */
export function look(shape: string, word: string, tone: Tone): Look {
	return {shape, word, tone}
}
