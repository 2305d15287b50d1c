/** So much of a GUID is meant as one; less of it is a word or a number that chance puts into many GUIDs. */
const guidLength = 8

interface Named {
	readonly name: string
	readonly description: string
	readonly guid: string
}

/** Whether a group or policy has each word (in lower case) in its name or description, or as a part of its GUID. */
export function answersTo({name, description, guid}: Named, words: readonly string[]): boolean {
	const text = `${name} ${description}`.toLowerCase()
	return words.every(word => text.includes(word) || (word.length >= guidLength && guid.includes(word)))
}
