/**
 * `npm run bench -- tasks`: twelve tasks of an operator, through the screens and command lines as they are, with the
 * clicks, keys and seconds that each takes. The tasks are in `e2e/tasks/`, the figures of earlier versions in `docs/tasks.md`.
 */
import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {benchFolder} from './folder.ts'
import {markdown} from './measure.ts'
import {at, root} from '../lib/paths.mjs'

/** Written by `e2e/tasks/task.ts` into the report. */
interface Leg {
	name: string
	clicks: number
	keys: number
	reason: number
	seconds: number
	limit?: {clicks?: number; keys?: number}
}

/** The used part of Playwright's report. */
interface Suite {
	suites?: readonly Suite[]
	specs?: readonly {title: string; tests: readonly {annotations: readonly {type: string; description?: string}[]}[]}[]
}

export async function benchTasks() {
	const folder = benchFolder()
	const report = run(join(folder, 'report.json'))
	const rows = report.suites.flatMap(rowsOf).toSorted((a, b) => numberOf(a) - numberOf(b))
	return markdown('task | part | clicks | keys | keys of the reason | seconds | at most', rows)
}

/** Tasks stand in the order of their numbers, whatever file they are in. */
function numberOf([task]: Row) {
	return Number(/\d+/.exec(task)?.[0])
}

function run(file: string) {
	const playwright = at('node_modules', '@playwright', 'test', 'cli.js')
	const words = ['test', '--config', join('e2e', 'tasks', 'playwright.config.ts'), '--reporter', 'list,json']
	const {status} = spawnSync(process.execPath, [playwright, ...words], {
		cwd: root,
		env: {...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file},
		stdio: ['ignore', process.stderr, process.stderr]
	})
	if (status !== 0) throw new Error('Not every task could be done; the list above names it.')
	return JSON.parse(readFileSync(file, 'utf8')) as {suites: readonly Suite[]} // Playwright's own form
}

type Row = readonly [task: string, ...unknown[]]

function rowsOf({suites = [], specs = []}: Suite): readonly Row[] {
	const own = specs.flatMap(({title, tests}) => {
		const figures = tests[0]?.annotations.find(({type}) => type === 'figures')?.description ?? '[]'
		const legs = JSON.parse(figures) as readonly Leg[] // written by `e2e/tasks/task.ts`
		return legs.map(leg => row(title, leg))
	})
	return [...own, ...suites.flatMap(rowsOf)]
}

function row(task: string, {name, clicks, keys, reason, seconds, limit = {}}: Leg): Row {
	const limits = Object.entries(limit).map(([kind, most]) => `${most} ${kind}`)
	return [task, name, clicks, keys, reason, seconds.toFixed(1), limits.join(', ')]
}
