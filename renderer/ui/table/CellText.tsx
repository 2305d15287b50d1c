/** A possibly truncated text, with the whole of it as its tooltip. Without one the cell is empty: its neighbour has its room. */
export function CellText({value, title = value}: {value: string | null; title?: string | null}) {
	return value === null || value === '' ? null : <span title={title ?? value}>{value}</span>
}
