/** The name of a command; where it is too long for its line, it breaks between its words and not within one. */
export function CommandName({name}: {readonly name: string}) {
	const words = name.split(/(?<=_)/)
	return words.map((word, at) => (
		<span key={words.slice(0, at + 1).join('')}>
			{at === 0 ? null : <wbr />}
			{word}
		</span>
	))
}
