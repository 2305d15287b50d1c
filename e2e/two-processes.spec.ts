/** The window and the command line on one profile at once. */
import {execFile, spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'

import type {LogEntry} from '#model/incident.ts'

import {expect, slowAgents, test, usualSetup} from './fixtures.ts'
import {expectIsolation, guidOf, incidentLog, isolate, link, list, openComputer, receipt, tab, tableRow, isShown, says} from './screens.ts'

const host = 'FIN-LT-0231'
const cli = join(import.meta.dirname, '..', 'dist', 'node', 'cli.js')

test.use({setup: slowAgents})

test('changes by the command line appear in the window, with receipt and log entry', async ({page, app, service}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	const done = await app.cli('svc_put_computers_isolation', '--connector_guid', guid, '--comment', 'By hand', '--json')
	expect(done.code, done.stdout).toBe(0)
	await expectIsolation(page, 'pending_start')
	await says(receipt(page, 'requested'), 'By hand')
	await says(receipt(page, 'accepted'), 'HTTP 200')
	await service.agentsAnswer(guid)
	await expectIsolation(page, 'isolated')

	await tab(page, 'Incident log').click()
	await says(list(page, 'Entries about this computer'), /isolat/i)
	await link(page, 'Incident log', true).click()
	const rows = tableRow(incidentLog(page)).filter({hasText: 'command line'})
	await expect(rows.filter({hasText: 'svc_put_computers_isolation'}).filter({hasText: 'confirmed'})).toHaveCount(1)
})

test('the log of the window follows entries of the command line live', async ({page, app}) => {
	await openComputer(page, host)
	await link(page, 'Incident log', true).click()
	await says(incidentLog(page), 'Connection added')
	const noted = await app.cli('log', 'note', 'Called the owner of the laptop')
	expect(noted.code, noted.stderr).toBe(0)
	await isShown(page.getByRole('gridcell', {name: 'Called the owner of the laptop'}))
})

test('cordon log --follow prints what the window does', async ({page, app}) => {
	await openComputer(page, host)
	const follow = spawn(process.execPath, [cli, '--profile', app.profile, 'log', '--follow', '--jsonl', '--writes'])
	const seen: LogEntry[] = []
	createInterface({input: follow.stdout}).on('line', line => {
		seen.push(JSON.parse(line) as LogEntry) // the documented form of `log --follow --jsonl`
	})
	try {
		await isolate(page, host, 'Followed')
		await expect
			.poll(() => seen.filter(({command}) => command === 'svc_put_computers_isolation').map(({kind}) => kind))
			.toEqual(['command.requested', 'command.succeeded'])
	} finally {
		follow.kill('SIGINT')
	}
})

test('many writers leave no gap and no doubled entry in the log', async ({page, app}) => {
	await openComputer(page, host)
	const notes = Array.from({length: 6}, (_, index) => `Note ${index}`)
	const results = await Promise.all(notes.map(text => app.cli('log', 'note', text)))
	expect(results.map(({code}) => code)).toEqual(notes.map(() => 0))
	const read = await app.cli('log', '--json')
	const {data} = JSON.parse(read.stdout) as {data: readonly LogEntry[]} // the documented form of `log --json`
	expect(data.map(({seq}) => seq)).toEqual(data.map((_, index) => (data[0]?.seq ?? 0) + index))
	expect(
		data
			.filter(({kind}) => kind === 'note')
			.map(({message}) => message)
			.toSorted()
	).toEqual(notes)
})

test.describe("the README's five minutes of the command line", () => {
	test.use({setup: {...usualSetup, connection: 'none'}})

	test('work beside a console with its sandbox, line by line', async ({app}) => {
		const lines = linesOfReadme()
		expect(lines).toHaveLength(6)
		const said: string[] = []
		for (const line of lines) {
			const {code, text} = await inShell(app.profile, line)
			expect(code, `${line}\n${text}`).toBe(0)
			said.push(text)
		}
		expect(said[0]).toContain('FIN-LT-0231')
		expect(said[2]).toContain('is isolated')
		expect(said[4]).toContain('is not isolated')
		for (const word of ['svc_put_computers_isolation requested', 'svc_delete_computers_isolation succeeded']) expect(said[5]).toContain(word)
	})
})

/** The lines as a person types them, from the first block under the heading. */
function linesOfReadme() {
	const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
	const [, block = ''] = readme.slice(readme.indexOf('### On the command line')).split('```')
	return block.split('\n').filter(line => line.startsWith('npm run -s cordon -- '))
}

function inShell(profile: string, line: string): Promise<{code: number; text: string}> {
	const typed = line.replace('npm run -s cordon --', () => '"$NODE" "$CLI"')
	const env = {...process.env, NODE: process.execPath, CLI: cli, CORDON_PROFILE: profile}
	return new Promise(resolve => {
		execFile('sh', ['-c', typed], {env}, (error, stdout, stderr) =>
			resolve({code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr})
		)
	})
}
