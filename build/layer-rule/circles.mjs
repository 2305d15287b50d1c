import {posix} from 'node:path'

import {resolve} from './decide.mjs'

/** What a file imports from, types and dynamic imports included. */
function specifiersOf(text) {
	const found = text.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*'([^']+)'/g)
	return [...found].map(([, specifier]) => specifier)
}

/** Files of `texts` (path to text) that import one another in a circle, each as a chain that ends where it began. */
export function circlesIn(texts) {
	const edges = new Map(
		[...texts].map(([path, text]) => {
			const targets = specifiersOf(text).map(specifier => posix.normalize(resolve(specifier, path).path ?? '.'))
			return [path, [...new Set(targets)].filter(target => texts.has(target))]
		})
	)
	return circlesOf(edges)
}

/** One chain for each edge that closes a circle. */
function circlesOf(edges) {
	const done = new Set()
	const way = []
	const found = []
	const visit = node => {
		if (way.includes(node)) return void found.push([...way.slice(way.indexOf(node)), node].join(' > '))
		if (done.has(node)) return
		way.push(node)
		for (const next of edges.get(node) ?? []) visit(next)
		way.pop()
		done.add(node)
	}
	for (const node of edges.keys()) visit(node)
	return found
}
