import {importersOf, isTextModule, textsMarkdown, textsOf, twice, unused} from './texts.ts'

test('texts come in order, with a mark for each value; names in the code are skipped', () => {
	const code =
		"import { a } from './a b.ts';\nexport const text = { none: 'No jobs yet', kind: 'read_only' };\nexport const of = (n: number) => `${n} of\n  ${a} jobs`;\nexport const save = 'Save';\n"
	expect(textsOf('text.ts', code)).toEqual(['No jobs yet', '… of … jobs', 'Save'])
})

test('modules of texts are those of shared/text, text.ts and those of words, without their tests', () => {
	expect(
		[
			'shared/text/isolation.ts',
			'renderer/features/jobs/text.ts',
			'renderer/commands/jobs/job-words.ts',
			'renderer/commands/jobs/job-words.test.ts',
			'renderer/features/jobs/JobScreen.tsx'
		].map(isTextModule)
	).toEqual([true, true, true, false, false])
})

test('a sentence of three words in two modules is reported with both; shorter texts and repeats within a module are not', () => {
	const modules = new Map([
		['a/text.ts', ['Loading the list', 'Save', 'No jobs yet', 'No jobs yet']],
		['b/text.ts', ['Loading the list', 'Save', 'Not loaded']]
	])
	expect(twice(modules)).toEqual(['"Loading the list": a/text.ts, b/text.ts'])
})

test('a text that no file of its folder names is unused; a common one may be named in any', () => {
	const code = "export const t = {\n  ...common,\n  cancel: 'Cancel',\n  of: (n: Value) => `of ${n}`,\n} as const;\n"
	const sources = new Map([
		['renderer/features/jobs/text.ts', code],
		['renderer/features/jobs/Job.tsx', "import { t } from './text.ts';\nt.of(1);"],
		['renderer/features/log/Log.tsx', "import { t } from './text.ts';\nt.cancel;"]
	])
	const own = importersOf('renderer/features/jobs/text.ts', sources)
	expect(unused('text.ts', code, own)).toEqual(['text.ts: cancel'])
	const all = importersOf('shared/text/common.ts', sources)
	expect(unused('common.ts', code, all)).toEqual([])
})

test('the page shows texts embedded in code, and leaves out the plain modules', () => {
	const page = textsMarkdown(
		new Map([
			['renderer/features/jobs/text.ts', ['No jobs yet']],
			['renderer/features/jobs/job-words.ts', ['… of *all*']]
		])
	)
	expect(page).not.toContain('No jobs yet')
	expect(page).toContain('## renderer/features/jobs/job-words.ts\n\n- … of \\*all\\*')
})
