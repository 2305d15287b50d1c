export interface Form<Draft> {
	draft: Draft
	set(change: Partial<Draft>): void
	/** What is wrong at a place, or within it. */
	errorAt(place: string): string | null
	/** A member as the props of its field; `place` if errors call it otherwise. */
	field<Name extends keyof Draft & string>(
		name: Name,
		place?: string
	): {value: Draft[Name]; onChange: (value: Draft[Name]) => void; error: string | null}
	/** The same for a checkbox or a switch. */
	check<Name extends keyof Draft>(name: Name): {isSelected: Draft[Name]; onChange: (value: Draft[Name]) => void}
	/** A member with fields of its own, whose places begin with `prefix`. */
	within<Name extends keyof Draft>(name: Name, prefix?: string): Form<Draft[Name]>
}

export function formFor<Draft>(draft: Draft, set: (change: Partial<Draft>) => void, errorAt: Form<Draft>['errorAt'] = () => null): Form<Draft> {
	const change =
		<Name extends keyof Draft>(name: Name) =>
		(value: Draft[Name]) =>
			set({[name]: value} as unknown as Partial<Draft>) // the computed name hides it
	return {
		draft,
		set,
		errorAt,
		field: (name, place = name) => ({value: draft[name], onChange: change(name), error: errorAt(place)}),
		check: name => ({isSelected: draft[name], onChange: change(name)}),
		within: (name, prefix = '') =>
			formFor(
				draft[name],
				part => change(name)({...draft[name], ...part}),
				place => errorAt(prefix + place)
			)
	}
}

/** Non-empty lines, trimmed. */
export function linesOf(text: string) {
	return text.split('\n').flatMap(line => line.trim() || [])
}
