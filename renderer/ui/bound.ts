/** What a field shows and changes: one member of a form's draft, as the props of the field. */
export function bound<Draft, Name extends keyof Draft>(draft: Draft, set: (change: Pick<Draft, Name>) => void, name: Name) {
	return {value: draft[name], onChange: (value: Draft[Name]) => set({[name]: value} as Pick<Draft, Name>)}
}

/** The same for a checkbox or a switch. */
export function boundCheck<Draft, Name extends keyof Draft>(draft: Draft, set: (change: Pick<Draft, Name>) => void, name: Name) {
	const {value, onChange} = bound(draft, set, name)
	return {isSelected: value, onChange}
}
