/** Shorter input matches GUIDs by chance. */
const guidLength = 8

interface Named {
	name: string
	description: string
	guid: string
}

export function answersTo({name, description, guid}: Named, words: readonly string[]) {
	const text = `${name} ${description}`.toLowerCase()
	return words.every(word => text.includes(word) || (word.length >= guidLength && guid.includes(word)))
}
