/**
 * Writes `docs/reference/` and the generated half of `client/` from the catalogue and the error table. Runs in Node 24;
 * `--check` writes nothing and exits with 1 when a page is out of date.
 */
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import {fileURLToPath} from 'node:url'

import {z} from 'zod'

import {referenceMarkdown} from '#shared/commands/usage.ts'
import {managedPolicySchema} from '#model/managed.ts'
import {openApiDocument} from '#core/doors/router.ts'
import {library} from '#core/playbooks/library.ts'
import {inputsOf} from '#core/playbooks/variables.ts'
import {errorCodes, errorTable, type ErrorCode} from '#contract/errors.ts'

import {clientFiles} from './lib/client.ts'
import {importersOf, isTextModule, textsMarkdown, textsOf, twice, unused} from './lib/texts.ts'

const folder = new URL('../docs/reference/', import.meta.url)
const checks = process.argv.includes('--check')
const sources = readSources()
const modules = new Map([...sources].filter(([path]) => isTextModule(path)).map(([path, code]) => [path, textsOf(path, code)] as const))
const document = await openApiDocument()
const client = clientFiles(document)
const pages: readonly (readonly [name: string, text: string])[] = [
	['commands.md', referenceMarkdown()],
	['errors.md', errorsMarkdown()],
	['managed.md', managedMarkdown()],
	['playbooks.md', playbooksMarkdown()],
	['texts.md', textsMarkdown(modules)],
	['openapi.json', compactJson(document)],
	['../../client/operations.js', client.code],
	['../../client/operations.d.ts', client.types]
]

const stale = pages.filter(([name, text]) => read(name) !== text)
if (!checks) for (const [name, text] of stale) write(name, text)
for (const [name] of stale)
	console.log(checks ? `docs/reference/${name} is out of date: run build/generate-docs.ts.` : `docs/reference/${name} was written.`)
const faults = [
	...twice(modules).map(each => `A sentence stands in two modules, keep one of them: ${each}`),
	...[...modules.keys()]
		.filter(path => path.endsWith('text.ts') || path.endsWith('text/common.ts'))
		.flatMap(path => unused(path, sources.get(path) ?? '', importersOf(path, sources)))
		.map(each => `A text that nothing uses: ${each}`)
]
for (const fault of faults) console.log(fault)
process.exitCode = (checks && stale.length > 0) || faults.length > 0 ? 1 : 0

/** The page's sources, and all others that may use one of its texts. */
function readSources(): ReadonlyMap<string, string> {
	const found = ['renderer', 'shared', 'electron', 'e2e'].flatMap(layer =>
		readdirSync(new URL(`../${layer}/`, import.meta.url), {recursive: true, encoding: 'utf8'})
			.map(path => `${layer}/${path.replaceAll('\\', '/')}`)
			.filter(path => /\.tsx?$/.test(path))
	)
	return new Map(found.toSorted().map(path => [path, readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')]))
}

/** One operation a line: small, and a change is one line of a diff. */
function compactJson({paths, ...rest}: Awaited<ReturnType<typeof openApiDocument>>) {
	const operations = Object.entries(paths ?? {}).map(([path, each]) => `${JSON.stringify(path)}:${JSON.stringify(each)}`)
	return `${JSON.stringify(rest).slice(0, -1)},"paths":{\n${operations.join(',\n')}\n}}\n`
}

function errorsMarkdown() {
	return `# Errors

Generated from \`shared/contract/errors.ts\`: the closed table of everything that can go wrong, on every surface.
With \`--json\` the command line prints \`{"ok":false,"error":{"code":…,"message":…,"field":…,"retry":…}}\`.

*At fault* is who has to act: the operator, the service, the network between, or Cordon itself.
*Retry* says whether the same request can succeed: never as it is (\`no\`), at once (\`now\`), after a wait (\`later\`),
or only after the state was read (\`read_first\`).

|code|sentence|at fault|retry|exit code|
|-|-|-|-|-|
${errorCodes.map(row).join('\n')}

What each exit code means: [The command line](../command-line.md#exit-codes).
`
}

function managedMarkdown() {
	const schema = z.toJSONSchema(managedPolicySchema, {io: 'input'})
	return `# Managed configuration

Generated from \`shared/model/managed.ts\`. Where the file lies and what it does: [Settings for administrators](../administrators.md).
Each field that is given is set and locked; each one that is left out stays with the operator.

\`\`\`json
${laidOut(schema)}
\`\`\`
`
}

/** What fits stands on one line. */
function laidOut(value: unknown, indent = '\n'): string {
	const flat = JSON.stringify(value)
	if (flat.length < 250 || typeof value !== 'object' || value === null) return flat
	const inner = `${indent}\t`
	const isList = Array.isArray(value)
	const parts = Object.entries(value).map(([name, each]) => `${isList ? '' : `"${name}":`}${laidOut(each, inner)}`)
	return `${isList ? '[' : '{'}${inner}${parts.join(`,${inner}`)}${indent}${isList ? ']' : '}'}`
}

function row(code: ErrorCode) {
	const {sentence, fault, retry, exit} = errorTable[code]
	return `|\`${code}\`|${sentence.replaceAll('|', '\\|')}|${fault}|${retry}|${exit}|`
}

function read(name: string) {
	try {
		return readFileSync(new URL(name, folder), 'utf8')
	} catch {
		return undefined
	}
}

function write(name: string, text: string) {
	const path = fileURLToPath(new URL(name, folder))
	mkdirSync(dirname(path), {recursive: true})
	writeFileSync(path, text)
}

function playbooksMarkdown() {
	const bare = (text: string) => text.replaceAll(/__(\w+?)__:value/g, '{$1}').replaceAll(/__(\w+?)__/g, '$1')
	const parts = library().map(playbook => {
		const {name, description, workflow} = playbook
		const asked = inputsOf(playbook)
		const inputs = asked.map(({name: key, description: words, value}) => {
			const kept = value === null ? '' : `, ${value} unless given`
			return `${bare(key)} (${words}${kept})`
		})
		const steps = Object.values(workflow)
			.toReversed()
			.flatMap(({name: step, commands: [command] = [], condition}) => {
				const what = (command?.command ?? condition)?.replace(/ HTTP\/1.1$/, '')
				return what === undefined ? [] : [`- ${step}${command?.type === 'manual' ? ' (question)' : ''}: \`${bare(what)}\``]
			})
		const given = asked.map(({name: key}) => ` --var ${bare(key)}=…`)
		const start = `\`cordon playbook run "${name}"${given.join('')}\``
		return `## ${name}\n\n${description} Takes ${inputs.join('; ')}.\n\n${start}\n\n${steps.join('\n')}\n`
	})
	const head = 'Generated from `electron/core/playbooks/library.ts`. How a request is written: [Playbooks](../playbooks.md).'
	return `# Playbooks of the library\n\n${head}\n\n${parts.join('\n')}`
}
