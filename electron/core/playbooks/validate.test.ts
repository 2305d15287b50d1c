import {readFileSync} from 'node:fs'
import {brotliDecompressSync} from 'node:zlib'

import fc from 'fast-check'

import type {IssueLevel} from '#model/playbook.ts'

import {library} from './library.ts'
import {checkPlaybook, readPlaybook} from './validate.ts'

type Json = Record<string, unknown>
const vectors = JSON.parse(brotliDecompressSync(readFileSync(new URL('vectors/examples.json.br', import.meta.url))).toString()) as {
	examples: Record<string, Json>
}

function example(name: string) {
	return structuredClone(vectors.examples[name] ?? {})
}

/** Changes one example by a path of keys; `undefined` removes. Steps are named by the beginning of their ID. */
function changed(path: readonly string[], value: unknown, name = 'contain') {
	const document = example(name)
	let at = document
	for (const part of path.slice(0, -1)) at = at[keyIn(at, part)] as Json
	const last = keyIn(at, path.at(-1) ?? '')
	if (value === undefined) delete at[last]
	else at[last] = value
	return document
}

function keyIn(object: Json, part: string) {
	if (part in object) return part
	return Object.keys(object).find(key => key.includes('--') && key.startsWith(part)) ?? part
}

async function told(document: Json, level: IssueLevel = 'error') {
	const {issues} = await checkPlaybook(document)
	return issues.filter(one => one.level === level).map(({name, field, message}) => `${name} ${field}: ${message}`)
}

describe('public examples', () => {
	test.each([
		['contain', true, true, true],
		['fin', false, false, false],
		['http', true, false, true],
		['manual', true, true, true],
		['openc2', true, false, true],
		['powershell', true, false, true],
		['ssh', true, false, true]
	] as const)('%s: valid %s, runnable %s, portable %s', async (name, valid, runnable, portable) => {
		const verdict = await checkPlaybook(example(name))
		expect({...verdict, issues: []}, JSON.stringify(verdict.issues, null, 1)).toEqual({...{valid, runnable, portable}, issues: []})
	})
})

const find = ['workflow', 'action--e5b3']
const isolate = ['workflow', 'action--3f85']
const approved = ['workflow', 'if-condition']

describe('each error has its step, its field and the fix', () => {
	test.each([
		['a missing field', ['name'], undefined, 'null name: name is missing.'],
		['a wrong type', ['priority'], 'high', 'null priority: It is not of the type integer.'],
		['a step of no type', [...find, 'delay'], 0, 'Find computer delay: The schema of CACAO refuses it: it must be >= 1.'],
		['a misspelt pointer', [...isolate, 'on_sucess'], 'end--x', 'Start isolation on_sucess: CACAO 2.0 knows no on_sucess'],
		['an unknown key of a command', [...find, 'commands', '0', 'body'], '{}', 'Find computer commands.0.body: CACAO 2.0'],
		[
			'a key of a command that is missing',
			[...find, 'commands', '0', 'command'],
			undefined,
			'Find computer commands.0.command: command is missing.'
		],
		['a step that is not there', [...approved, 'on_true'], 'action--00000000-0000-4000-8000-000000000000', 'Approved? on_true: There is no step'],
		[
			'a branch that runs into the rest',
			[...approved, 'on_true'],
			'action--08b0513c-03a8-438d-8225-cdffdcb6877f',
			'Approved? on_true: The branch shares'
		],
		['a circle', ['workflow', 'action--08b0', 'on_completion'], 'action--e5b3fcdc-8036-4431-8d64-eae6ffbb0d0c', 'The steps run in a circle.'],
		['a step that leads nowhere', [...find, 'on_completion'], undefined, 'Find computer on_completion: The step leads nowhere.'],
		['a condition that is none', [...approved, 'condition'], 'process.exit()', 'Approved? condition: A comparison begins with a variable'],
		[
			'an unknown variable',
			[...approved, 'condition'],
			'__aproved__:value = yes',
			'Approved? condition: The variable __aproved__ is not declared.'
		],
		['an unknown result', [...find, 'out_args'], ['__guid__'], 'Find computer out_args: The variable __guid__ is not declared.'],
		['an agent that is not there', [...find, 'agent'], 'soarca--00000000-0000-4000-8000-000000000000', 'Find computer agent: There is no agent'],
		[
			'a request that nobody answers',
			[...find, 'commands', '0', 'command'],
			'GET /computer/x HTTP/1.1',
			'Find computer commands.0.command: Cordon does not answer GET /computer/x.'
		],
		[
			'an argument that the command has not',
			[...isolate, 'commands', '0', 'content'],
			'{"coment":"x"}',
			'has no argument coment. Did you mean comment?'
		],
		['a variable outside quotation marks', [...isolate, 'commands', '0', 'content'], '{"comment":__reason__:value}', 'The content is not JSON.'],
		['a secret', [...isolate, 'commands', '0', 'content'], '{"unlock_code":"__reason__:value"}', 'unlock_code cannot stand in a playbook'],
		[
			'a constant of the wrong type',
			['playbook_variables', '__sha256__', 'value'],
			'abc',
			'null playbook_variables.__sha256__.value: The value is not 64'
		],
		['no start', ['workflow_start'], 'end--c607ba9c-23cf-4baa-83ad-9b7f2595d4bc', 'null workflow_start: end--c607']
	] as const)('%s', async (_what, path, value, message) => {
		const verdict = await checkPlaybook(changed(path, value))
		const found = verdict.issues.filter(({level}) => level === 'error')
		expect(found.map(({name, field, message: text}) => `${name} ${field}: ${text}`).join('\n')).toContain(message)
		expect(found.every(({fix}) => /^[A-Z].*[.?]$/s.test(fix))).toBe(true)
		expect(verdict).toMatchObject({valid: false, runnable: false, portable: false})
	})

	test("SOARCA's example of a missing step passes the schema and fails the rules", async () => {
		const document = changed(['workflow', 'action--65297'], undefined)
		expect((await told(document)).join()).toContain('There is no step action--65297c98')
	})

	test.each([
		['parallel steps', [...approved, 'condition'], "__approved__:value = 'yes'", 'SOARCA reads three parts'],
		['no time-out of a question', ['workflow', 'action--65297', 'timeout'], undefined, 'SOARCA waits for one minute'],
		['a failure that is handled', [...find, 'on_failure'], 'end--c607ba9c-23cf-4baa-83ad-9b7f2595d4bc', 'SOARCA ends']
	] as const)('not portable: %s', async (_what, path, value, message) => {
		const document = changed(path, value)
		if (path.at(-1) === 'on_failure') {
			const step = (document['workflow'] as Record<string, Json>)['action--e5b3fcdc-8036-4431-8d64-eae6ffbb0d0c'] ?? {}
			step['on_success'] = step['on_completion']
			delete step['on_completion']
		}
		expect((await told(document, 'portability')).join()).toContain(message)
		expect(await checkPlaybook(document)).toMatchObject({valid: true, portable: false})
	})

	test.each(['ssh', 'bash', 'powershell', 'openc2-http'])('%s is refused and named', async type => {
		const document = changed([...find, 'commands'], [{type, command: 'x', content_b64: 'eA=='}])
		expect((await told(document, 'refused')).join()).toContain(`Cordon does not run ${type} commands.`)
	})

	test('a change without approval gets a warning', async () => {
		expect(await told(example('contain'), 'warning')).not.toContainEqual(expect.stringContaining('nobody is asked'))
		const document = changed(['workflow', 'action--65297', 'commands'], [{type: 'http-api', command: 'GET /version HTTP/1.1'}])
		;(document['workflow'] as Record<string, Json>)['action--65297c98-2ab7-4f0f-8ecc-4caf95bef971'] = {
			...(document['workflow'] as Record<string, Json>)['action--65297c98-2ab7-4f0f-8ecc-4caf95bef971'],
			targets: ['http-api--9a334f62-a780-4cea-8008-f4e6d3f12f82']
		}
		expect((await told(document, 'warning')).join()).toContain('Start isolation commands: The step changes something')
	})
})

describe('what is no playbook', () => {
	test.each([
		['', 'The file is not JSON'],
		['[]', 'The file holds no JSON object'],
		[`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`, 'more than 40 levels'],
		['x'.repeat(1_048_577), 'larger than 1 MB']
	])('%#', (text, message) => {
		expect(() => readPlaybook(text)).toThrow(message)
	})

	test('has too many problems', async () => {
		await expect(checkPlaybook({labels: Array(999).fill(1)})).rejects.toThrow('too many')
		// Each of them might mean any step.
		const id = (index: number) => `parallel--${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`
		const nexts = (from: number) => Array.from({length: 20}, (_, index) => id(from + index))
		const own = example('contain')['workflow'] as Json
		const steps = Array.from({length: 900}, (_, at) => [id(at), {type: 'parallel', next_steps: nexts(1000 + 20 * at)}])
		const begun = process.threadCpuUsage()
		await expect(checkPlaybook(changed(['workflow'], {...own, ...Object.fromEntries(steps)}))).rejects.toThrow('too many')
		expect(process.threadCpuUsage(begun).user).toBeLessThan(5_000_000)
	})

	test('any JSON gets a verdict, and a refusal says why', async () => {
		await fc.assert(
			fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async document => {
				const {valid, issues} = await checkPlaybook(document)
				expect(valid || issues.length > 0).toBe(true)
			}),
			{numRuns: 200}
		)
	})

	test('any change of one value of an example gets a verdict', async () => {
		const paths = pathsOf(example('contain'))
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...paths), fc.option(fc.jsonValue(), {nil: undefined}), async (path, value) => {
				const verdict = await checkPlaybook(changed(path, value))
				expect(verdict.valid).toBe(!verdict.issues.some(({level}) => level === 'error'))
			}),
			{numRuns: 500}
		)
	})
})

function pathsOf(value: unknown, path: string[] = []): string[][] {
	if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
	return [...(path.length === 0 ? [] : [path]), ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))]
}

test('the library has twelve, each valid', async () => {
	expect(library()).toHaveLength(12)
	// One page alone would cut the note of a hunt.
	const hunts = library().filter(({name}) => name === 'Hunt indicators')
	expect(hunts.map(one => /activity\?[^"]*all=true/.test(JSON.stringify(one)))).toEqual([true])
	for (const document of library()) {
		const verdict = await checkPlaybook(document as never)
		expect(verdict.issues.filter(({level}) => level !== 'portability')).toEqual([])
		expect(verdict.runnable).toBe(true)
	}
})
