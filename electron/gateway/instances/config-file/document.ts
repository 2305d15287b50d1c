/** YAML 1.2 (and so JSON) as plain values, with line numbers. Pure. */
import {isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type ParsedNode} from 'yaml'

import type {FileProblem} from './types.ts'

type Path = readonly (string | number)[]

export type ReadDocument = ReturnType<typeof readDocument>

/** Far more than a thousand instances need; an alias counts with all its content. */
const mostNodes = 100_000
const deepest = 32

interface Place {
	line: number
	written: string | undefined
}

export function readDocument(text: string) {
	const lines = new LineCounter()
	const document = parseDocument(text, {
		version: '1.2',
		schema: 'core',
		lineCounter: lines,
		prettyErrors: false,
		// With 'silent' a second document would go unnoticed.
		logLevel: 'error'
	})
	const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
	const places = new Map<string, Place>()
	const problems = [...document.errors, ...document.warnings].map(({code, message, pos}) => {
		const line = lineAt(pos[0])
		return {line, key: '', ...wordsFor(code, message)}
	})
	const value = problems.length > 0 ? undefined : createWalk(document, lineAt, places, problems)(document.contents, [])
	return {
		value,
		problems,
		/** Line of the value, or of the nearest enclosing part. */
		lineOf: (path: Path) => placeOf(places, path).line,
		/** Whether a value exists there. */
		has: (path: Path) => places.has(keyOf(path)),
		/** A scalar as written, before YAML converts it. */
		writtenAt: (path: Path) => places.get(keyOf(path))?.written
	}
}

type Walk = (node: ParsedNode | null, path: Path) => unknown

function createWalk(document: Document.Parsed, lineAt: (offset: number) => number, places: Map<string, Place>, problems: FileProblem[]) {
	let nodes = 0
	const refuse = (offset: number, path: Path, problem: string, fix: string) => {
		problems.push({line: lineAt(offset), key: shownPath(path), problem, fix})
		return undefined
	}
	const walk: Walk = (node, path) => {
		const offset = node?.range[0] ?? 0
		nodes += 1
		if (nodes === mostNodes) return refuse(offset, path, 'makes the file too large', 'write fewer aliases, or fewer instances')
		if (nodes > mostNodes) return undefined
		if (path.length > deepest) return refuse(offset, path, 'is nested too deeply', 'write it flatter')
		if (isAlias(node)) {
			const target = node.resolve(document)
			if (target === undefined) return refuse(offset, path, `refers to *${node.source}, which is not there`, `write &${node.source} before it`)
			return walk(target as ParsedNode, path) // a parsed document holds parsed nodes only
		}
		places.set(keyOf(path), {line: lineAt(offset), written: isScalar(node) ? node.source : undefined})
		if (isOctalLooking(node) && path[0] !== 'parameters')
			return refuse(offset, path, 'begins with 0, which older YAML reads as an octal number', 'write it without the 0, or a text in quotes')
		if (isSeq(node)) return node.items.map((item, index) => walk(item, [...path, index]))
		if (!isMap(node)) return isScalar(node) ? node.value : null
		const entries = node.items.map(({key, value}): readonly [string, unknown] => {
			const name = isScalar(key) && key.source !== undefined ? key.source : undefined
			if (name === undefined) {
				refuse(key.range?.[0] ?? offset, path, 'has a key that is not a text', 'write key: value')
				return ['', undefined]
			}
			if (name === '<<') {
				refuse(key.range?.[0] ?? offset, path, 'uses the merge key <<, which is not part of YAML 1.2', 'write the keys out')
				return [name, undefined]
			}
			const inner = walk(value, [...path, name])
			const place = places.get(keyOf([...path, name]))
			places.set(keyOf([...path, name]), {line: lineAt(key.range?.[0] ?? offset), written: place?.written})
			return [name, inner]
		})
		return Object.fromEntries(entries.filter(([name]) => name !== '' && name !== '<<'))
	}
	return walk
}

function isOctalLooking(node: ParsedNode | null) {
	return isScalar(node) && typeof node.value === 'number' && /^[-+]?0\d/.test(node.source ?? '')
}

function placeOf(places: ReadonlyMap<string, Place>, path: Path) {
	for (let length = path.length; length >= 0; length -= 1) {
		const place = places.get(keyOf(path.slice(0, length)))
		if (place !== undefined) return place
	}
	return {line: 1, written: undefined}
}

function keyOf(path: Path) {
	return JSON.stringify(path)
}

/** `instances[0].listenPort`; other keys are quoted: `parameters["a.b"]`. */
export function shownPath(path: Path) {
	return path
		.map(part => (typeof part === 'number' ? `[${part}]` : /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
		.join('')
		.replace(/^\./, '')
}

function wordsFor(code: string, message: string) {
	const known = words[code]
	if (known !== undefined) return known
	return {problem: `the text is not YAML: ${lowerFirst(message)}`, fix: 'write it as YAML 1.2 or JSON'}
}

const words: Readonly<Record<string, {problem: string; fix: string}>> = {
	DUPLICATE_KEY: {problem: 'the key is here a second time', fix: 'remove one of the two'},
	TAB_AS_INDENT: {problem: 'a tab cannot indent', fix: 'use blanks'},
	MULTIPLE_DOCS: {problem: 'a second document begins', fix: 'keep everything in one; remove the line ---'},
	TAG_RESOLVE_FAILED: {problem: 'the tag is not known', fix: 'remove the word that begins with !'}
}

function lowerFirst(text: string) {
	return text.charAt(0).toLowerCase() + text.slice(1)
}
