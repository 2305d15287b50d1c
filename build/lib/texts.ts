/** The texts of all text modules, so that a changed word shows in review. */
import {parseSync, Visitor} from 'vite'

interface Found {
	at: number
	text: string
}

/** Whether a file holds texts alone: `shared/text/`, `text.ts`, and the modules of words. */
export function isTextModule(path: string) {
	return !path.includes('.test.') && (/^shared\/text\/[a-z-]+\.ts$/.test(path) || /^renderer\/(?:.*\/)?(?:text|[a-z-]*words)\.ts$/.test(path))
}

/** Texts of a module in order, with `…` for values. A string without a space is a name in the code. */
export function textsOf(path: string, code: string): readonly string[] {
	const found: Found[] = []
	const note = (at: number, raw: string) => {
		const text = raw.replaceAll(/\s+/g, ' ').trim()
		if (/^\p{Lu}\p{L}+$/u.test(text) || (text.includes(' ') && /\p{L}{2}/u.test(text))) found.push({at, text})
	}
	const {program} = parseSync(path, code)
	const body = program.body.filter(({type}) => type !== 'ImportDeclaration')
	new Visitor({
		Literal: node => typeof node.value === 'string' && note(node.start, node.value),
		TemplateLiteral: node => note(node.start, node.quasis.map(({value}) => value.cooked ?? value.raw).join('…'))
	}).visit({...program, body})
	return found.toSorted((a, b) => a.at - b.at).map(({text}) => text)
}

/** Sentences of three words or more that two modules share: a change of one would miss the other. */
export function twice(modules: ReadonlyMap<string, readonly string[]>): readonly string[] {
	const places = new Map<string, Set<string>>()
	for (const [path, texts] of modules) for (const text of texts.filter(isSentence)) places.set(text, (places.get(text) ?? new Set()).add(path))
	return [...places].filter(([, paths]) => paths.size > 1).map(([text, paths]) => `"${text}": ${[...paths].join(', ')}`)
}

function isSentence(text: string) {
	return (text.match(/\p{L}+(?:['’-]\p{L}+)*/gu)?.length ?? 0) >= 3
}

/** Sources that use a module's texts: its folder and browser tests; `common.ts` reaches every screen. */
export function importersOf(path: string, sources: ReadonlyMap<string, string>): readonly string[] {
	const folder = path.endsWith('/common.ts') ? '' : path.slice(0, -'text.ts'.length)
	return [...sources]
		.filter(([each, code]) => (each.startsWith(folder) || each.startsWith('e2e/')) && /\/text\.ts'/.test(code))
		.map(([, code]) => code)
}

export function unused(path: string, code: string, importers: readonly string[]): readonly string[] {
	const names = [...code.matchAll(/^(?: {2}|\t)(\w+):/gm)].map(([, name]) => name ?? '')
	const used = new Set(importers.flatMap(each => [...each.matchAll(/\.(\w+)/g)].map(([, name]) => name)))
	return names.filter(name => !used.has(name)).map(name => `${path}: ${name}`)
}

export function textsMarkdown(modules: ReadonlyMap<string, readonly string[]>) {
	const parts = [...modules]
		.filter(([path, texts]) => texts.length > 0 && !isPlain(path))
		.map(([path, texts]) => `## ${path}\n\n${texts.map(text => `- ${inMarkdown(text)}`).join('\n')}\n`)
	return `# Texts

Generated from the modules of words, whose texts stand between code. \`…\` stands for a value. Each \`text.ts\` and \`common.ts\`
holds one text a line, and shows a change by itself.

${parts.join('\n')}`
}

/** One text on each line, and no code. */
function isPlain(path: string) {
	return /(?:\/text|shared\/text\/common)\.ts$/.test(path)
}

function inMarkdown(text: string) {
	return text.replaceAll(/([\\`*_[\]<>#|])/g, '\\$1')
}
