interface Window {
	readonly offset: number
	readonly limit: number
}

/** Every row of what is read in windows. */
export async function allRows<Row>(
	read: (window: Window) => Promise<{readonly rows: readonly Row[]}>,
	limit = 10_000,
): Promise<readonly Row[]> {
	const all: Row[] = []
	for (;;) {
		const {rows} = await read({offset: all.length, limit})
		for (const row of rows) all.push(row)
		if (rows.length < limit) return all
	}
}
