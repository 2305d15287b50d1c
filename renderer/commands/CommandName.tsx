/** A name too long for its line breaks between words, not within one. */
export function CommandName({name}: {name: string}) {
	const words = name.split(/(?<=_)/)
	return words.map((word, at) => (
		<span key={words.slice(0, at + 1).join('')}>
			{at !== 0 && <wbr />}
			{word}
		</span>
	))
}
