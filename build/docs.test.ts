import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {at} from './lib/paths.mjs'

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...guides()]

function guides() {
	return readdirSync(at('docs'))
		.filter(name => name.endsWith('.md'))
		.map(name => `docs/${name}`)
}
/** A name in backticks that begins like a file of the checkout is one. */
const ours = /^(?:\.ci|build|docs|e2e|electron|renderer|shared)\//

/** Paths that a document names in links and in backticks, relative to the checkout. */
function named(document: string) {
	// Code blocks hold commands, not names.
	const text = readFileSync(at(document), 'utf8').replaceAll(/^```[^]*?^```/gm, '')
	const markdown = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target)
	const pictures = [...text.matchAll(/ (?:src|srcset)="([^"]+)"/g)].map(([, target = '']) => target)
	const links = [...markdown, ...pictures]
	const local = links.filter(target => !/^[a-z]+:/.test(target)).map(target => join(dirname(document), target))
	const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name).filter(name => ours.test(name))
	return [...local, ...quoted.flatMap(spread)]
}

function anchorsIn(document: string) {
	const headings = readFileSync(at(document), 'utf8')
		.replaceAll(/^```[^]*?^```/gm, '')
		.matchAll(/^#+ (.+)$/gm)
	return [...headings].map(([, title = '']) =>
		title
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
			.trim()
			.replaceAll(' ', '-')
	)
}

function linkedHeadings(document: string) {
	const text = readFileSync(at(document), 'utf8').replaceAll(/^```[^]*?^```/gm, '')
	return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].flatMap(([link, file = '', anchor = '']) => {
		const target = file === '' ? document : join(dirname(document), file)
		return target.endsWith('.md') && anchorsIn(target).includes(anchor) ? [] : [link]
	})
}

/** `a/{b,c}/` is two names; `a/*` and `a/<name>/` stand for anything in `a/`. */
function spread(name: string): string[] {
	const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(name)
	if (braces !== null) return (braces[2] ?? '').split(',').flatMap(one => spread(`${braces[1]}${one}${braces[3]}`))
	return [name.replace(/[^/]*[*<].*$/, '')]
}

describe.each(documents)('%s', document => {
	test('names only files that exist', () => {
		const names = named(document)
		expect(names.filter(name => !existsSync(at(name)))).toEqual([])
	})

	test('links to headings that exist', () => {
		expect(linkedHeadings(document)).toEqual([])
	})
})

test('every picture is shown somewhere', () => {
	const text = documents.map(document => readFileSync(at(document), 'utf8')).join('\n')
	const pictures = readdirSync(at('docs', 'images')).filter(name => !name.endsWith('-dark.webp'))
	expect(pictures.filter(name => !text.includes(name) && !text.includes(name.replace('-light', '-dark')))).toEqual([])
})

function securityRules() {
	const [, ...rules] = readFileSync(at('docs', 'security-rules.md'), 'utf8').split('\n## ')
	return rules.map(rule => {
		const [, where = '', ...tests] = rule.trim().split('\n')
		return {where: where.split(', ').filter(Boolean), tests: tests.map(test => test.replace(/^- /, ''))}
	})
}

/** `#core/` and `#gateway/` stand for folders of `electron/`, as in an import. */
function plain(path: string) {
	return path.replace(/^#forwarder/, '#gateway/forwarder').replace(/^#/, 'electron/')
}

/** `file`, or `file: title` where one test proves the rule, with the title as the file writes it. */
function isTest(named: string) {
	const [file = '', title = ''] = named.split(/: (.*)/)
	const path = at(plain(file))
	if (!/\.(?:test|spec)\.tsx?$/.test(file) || !existsSync(path)) return false
	const text = readFileSync(path, 'utf8').replaceAll(String.raw`\'`, "'")
	return title === '' || ["'", '"', '`'].some(quote => text.includes(`${quote}${title}${quote}`))
}

test('every security rule names a place and a test that exist', () => {
	const rules = securityRules()
	expect(rules.length).toBeGreaterThan(90)
	const exists = (path: string) => spread(plain(path)).every(name => existsSync(at(name)))
	const wrong = rules.filter(({where, tests}) => where.length === 0 || tests.length === 0 || !where.every(exists))
	expect(rules.flatMap(({tests}) => tests).filter(test => !isTest(test))).toEqual([])
	expect(wrong).toEqual([])
})

/** What the program says, comments included; line breaks in JSX become blanks. */
function said() {
	const sources = ['shared', 'renderer', 'electron'].flatMap(folder =>
		readdirSync(at(folder), {recursive: true, encoding: 'utf8'})
			.filter(name => /(?<!\.test)\.tsx?$/.test(name))
			.map(name => readFileSync(at(folder, name), 'utf8').replaceAll(/\s+/g, ' '))
	)
	return sources.join('\n')
}

test('the screens say each of the 30 sentences', () => {
	const page = readFileSync(at('docs', 'sentences.md'), 'utf8')
	const quoted = [...page.matchAll(/^\|“(.+?)”\|/gm)].map(([, sentence = '']) => sentence)
	expect(quoted).toHaveLength(30)
	const parts = quoted.flatMap(sentence => sentence.split('…')).map(part => part.trim())
	const all = said()
	expect(parts.filter(part => !all.includes(part))).toEqual([])
})
