/** A possibly truncated text: its title is the whole text. */
export function CellText({value}: {value: string | null}) {
	return <span title={value ?? ''}>{value ?? ''}</span>
}
