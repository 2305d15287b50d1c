interface Reference {
	guid: string
	name: string
}

export function changeOf(before: readonly Reference[], after: readonly Reference[]) {
	return {gained: without(after, before), lost: without(before, after)}
}

function without(some: readonly Reference[], others: readonly Reference[]) {
	const known = new Set(others.map(({guid}) => guid))
	return some.filter(({guid}) => !known.has(guid)).map(({guid, name}) => ({guid, name}))
}
