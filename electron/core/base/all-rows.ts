const limit = 10_000

/** Every row of what is read in windows. */
export async function allRows<Row>(read: (window: {offset: number; limit: number}) => Promise<{rows: readonly Row[]}>): Promise<readonly Row[]> {
	const all: Row[] = []
	for (;;) {
		const {rows} = await read({offset: all.length, limit})
		for (const row of rows) all.push(row)
		if (rows.length < limit) return all
	}
}
