import {hash} from 'node:crypto'
import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {onBrokenDisk} from './broken-disk.ts'
import {test as alone, usualSetup} from './fixtures.ts'
import {expect, test} from './house.ts'
import {counts} from './jobs.ts'
import {askService, callService, type SandboxProcess} from './processes.ts'
import {
	alert,
	button,
	closeDialog,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	dialogTitle,
	field,
	finish,
	grid,
	group,
	heading,
	isOff,
	listIsRead,
	lockFiles,
	option,
	press,
	pressIn,
	reasonOf,
	region,
	runLine,
	status,
	tableRow,
	title,
	shows,
	writesTo,
	isShown,
	isHidden,
	isFocused,
	says,
	reads,
	isNamed,
	push,
	pick
} from './screens.ts'
import {openEditor} from './staging.ts'

// The tests change the lists.
test.use({houseName: 'file-list-editor'})

const rows = (page: Page) => grid(page, 'Staged rows')
const row = (page: Page, hash: string) => tableRow(rows(page), new RegExp(`^${hash},`))
const bar = (page: Page) => group(page, 'Commit')
const listIn = (page: Page) => /file-lists\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? 'none'

async function isCommitted(page: Page, outcomes: string | RegExp, phase = 'completed') {
	await shows(dialog(page), phase, true)
	await reads(counts(page), outcomes)
}

let next = 0
/** A hash that nobody has. */
function fresh() {
	next += 1
	return hash('sha256', `editor ${process.pid} ${next}`, 'hex')
}

async function openEditorOf(page: Page, list: string) {
	await listIsRead(page)
	await press(page, 'g', 'f')
	await openEditor(page, list)
	await isShown(title(page, `Edit ${list}`))
}

/** Like Ctrl+V, without reading the machine's clipboard. */
async function paste(page: Page, text: string) {
	await page.evaluate(pasted => {
		const clipboardData = new DataTransfer()
		clipboardData.setData('text/plain', pasted)
		document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}))
	}, text)
}

interface Dropped {
	name: string
	text: string
}

async function drop(page: Page, ...files: Dropped[]) {
	await page.evaluate(dropped => {
		const dataTransfer = new DataTransfer()
		for (const {name, text} of dropped) dataTransfer.items.add(new File([text], name))
		document.body.dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}))
	}, files)
}

async function stage(page: Page, text: string, operation?: 'Remove') {
	await paste(page, text)
	if (operation === 'Remove') await dialog(page).getByText('− Remove from the list').click()
	await decide(page, /^Stage [\d,]+ rows? to /)
	await dialogIsGone(page)
}

async function plan(page: Page, reason: string) {
	await press(page, 'Control+s')
	await reasonOf(page).fill(reason)
	await decide(page, 'Check and plan')
}

async function commit(page: Page, reason: string, changes: string) {
	await plan(page, reason)
	await decide(page, changes)
}

/** A program that our own events call clean. */
async function cleanHash(service: SandboxProcess) {
	const events = await askService<{file?: {disposition?: string; identity?: {sha256?: string}}}[]>(service, 'events?limit=500')
	const found = events.find(({file}) => file?.disposition === 'Clean' && file.identity?.sha256 !== undefined)
	return found?.file?.identity?.sha256 ?? ''
}

test('a list that was changed after the plan gets a new plan in the same dialog, for the same reason', async ({page, service}) => {
	await openEditorOf(page, 'Unwanted applications')
	const [one, two] = [fresh(), fresh()]
	await stage(page, `${one}\n${two}`)
	await service.weather('GET /v1/file_lists/*=hang')
	await press(page, 'Control+s')
	await reasonOf(page).fill('case 8')
	await press(page, 'Control+Enter')
	const checking = 'Checking targets. Nothing is sent.'
	await dialogSays(page, checking)
	// Once more, it does not press *Cancel*.
	await press(page, 'Control+Enter')
	await reads(page.locator('[aria-live]'), checking)
	await decide(page, 'Cancel')
	await service.weather()
	await plan(page, 'case 8')
	await dialogSays(page, 'Commit 2 changes')
	expect((await callService(service, `file_lists/${listIn(page)}/files/${one}`, 'POST')).ok).toBe(true)
	await decide(page, /^Commit 2 changes/)
	await dialogSays(page, 'changed since planning')
	await isOff(button(dialog(page), /^Commit 2 changes/))
	// Nor is it sent once a new plan has failed.
	await service.weather('GET /v1/file_lists/*=status:400')
	await decide(page, 'Create new plan')
	await says(alert(dialog(page)), 'did not accept')
	await isOff(button(dialog(page), /^Commit 2 changes/))
	await service.weather()
	await decide(page, 'Create new plan')
	await decide(page, /^Commit 1 change/)
	await isCommitted(page, '●1 done')
	await finish(page)
})

test('a commit that is cancelled while the list is read again is not sent later', async ({page, service}) => {
	await openEditorOf(page, 'Unwanted applications')
	await stage(page, fresh())
	await plan(page, 'case 9')
	const before = await writesTo(service)
	await service.weather('GET /v1/file_lists/*=latency:1500')
	await decide(page, /^Commit 1 change/)
	await isOff(button(dialog(page), /^Commit 1 change/))
	await decide(page, 'Cancel')
	await dialogIsGone(page)
	// The next plan reads the list for as long.
	await plan(page, 'case 10')
	await dialogSays(page, 'Commit 1 change')
	expect(await writesTo(service)).toEqual(before)
	await service.weather()
	await decide(page, /^Commit 1 change/)
	await isCommitted(page, '●1 done')
	await finish(page)
})

test('pasted hashes are shown before they are staged, outlive a reload, and are committed with what is removed', async ({page}) => {
	await openEditorOf(page, 'Linux miners')
	const [one, two, three] = [fresh(), fresh(), fresh()]
	await paste(page, `${one} loader\n${two}\n${'a'.repeat(40)}\n`)
	await says(status(dialog(page)), 'Text: 2 SHA-256 hashes, 1 that is none')
	await says(bar(page), '0 staged')
	const sayings = await page.evaluateHandle(() => {
		const all = new Set<boolean>()
		const look = new MutationObserver(() => all.add(/Nothing is staged[^]*3 staged: /.test(document.body.innerText)))
		look.observe(document.body, {childList: true, subtree: true, characterData: true})
		return all
	})
	await decide(page, 'Stage 3 rows to add')
	await isNamed(row(page, one), /add, ready, note: loader/)
	await isNamed(row(page, 'a{40}'), /refused, This is a SHA-1/)
	await says(bar(page), '3 staged: +3 · 2 ready')
	expect(await sayings.evaluate(all => [...all])).toEqual([false])
	await page.reload()
	await isNamed(row(page, two), /add, ready/)
	await hasNoViolations(page)

	await commit(page, 'case 7', 'Commit 2 changes to Linux miners in Test tenant TEST')
	await isCommitted(page, '●2 done')
	await hasNoViolations(page)
	await finish(page)
	await says(bar(page), '1 staged: +1 · 0 ready')

	await stage(page, one, 'Remove')
	await stage(page, three)
	await isNamed(row(page, one), /remove, ready/)
	await press(page, 'Control+Enter')
	const calls = grid(dialog(page), 'Calls')
	await says(tableRow(calls, new RegExp(`^${one}`)), 'DELETE')
	await says(tableRow(calls, new RegExp(`^${three}`)), 'POST')
	await press(page, 'Escape')
	await commit(page, 'case 7', 'Commit 2 changes to Linux miners in Test tenant TEST')
	await isCommitted(page, '●2 done')

	await decide(page, 'Undo…')
	const undo = dialog(page).getByRole('list', {name: 'Changes', exact: true})
	await says(undo, `sha256=${one}`)
	await says(undo, `sha256=${three}`)
	await decide(page, 'Undo 2 changes in Test tenant TEST')
	await isShown(heading(dialog(page), 'Change undone'))
	await press(page, 'Escape')
	await isShown(counts(page))
	await isOff(button(dialog(page), 'Undo…'))
	await closeDialog(page)

	await press(page, 'Control+Backspace')
	await decide(page, 'Discard 1 row')
	await isShown(page.getByText('Nothing is staged').first())
})

test('CSV asks for its columns, STIX is read, other files are hashed here, and texts can be hashed too', async ({page}) => {
	await openEditorOf(page, 'Known bad files')
	const [one, two, three] = [fresh(), fresh(), fresh()]
	await drop(page, {name: 'iocs.csv', text: `old,sha256,comment\n${two},${one},from the bank\n`})
	await decide(page, 'Continue')
	await says(status(dialog(page)), 'CSV: 1 SHA-256 hash')
	await decide(page, /Column with the hashes/)
	await pick(page, /^sha256/)
	await decide(page, /Column with the notes/)
	await pick(page, /^comment/)
	await decide(page, 'Stage 1 row to add')
	await isNamed(row(page, one), /note: from the bank/)

	const bundle = {
		type: 'bundle',
		id: 'bundle--5d0092c5-5f74-4287-9642-33f4c354e56d',
		objects: [
			{
				type: 'indicator',
				spec_version: '2.1',
				id: 'indicator--8e2e2d2b-17d4-4cbf-938f-98ee46b3cd3f',
				name: 'dropper',
				pattern: `[file:hashes.'SHA-256' = '${three}']`,
				pattern_type: 'stix',
				valid_from: '2020-01-01T00:00:00Z'
			}
		]
	}
	await drop(page, {name: 'feed.json', text: JSON.stringify(bundle)})
	await decide(page, 'Continue')
	await says(status(dialog(page)), 'STIX 2.1: 1 SHA-256 hash')
	await decide(page, 'Stage 1 row to add')
	await isNamed(row(page, three), /add, ready/)

	const program = 'MZ a program'
	await drop(page, {name: 'tool.exe', text: program})
	await decide(page, 'Stage 1 hash to add')
	await isNamed(row(page, hash('sha256', program, 'hex')), /note: tool\.exe/)

	const list = 'a text that is wanted itself'
	await drop(page, {name: 'notes.txt', text: list})
	await dialog(page).getByText('Hash these files themselves').click()
	await decide(page, 'Continue')
	await decide(page, 'Stage 1 hash to add')
	await isNamed(row(page, hash('sha256', list, 'hex')), /note: notes\.txt/)
	await says(bar(page), '4 staged: +4 · 4 ready')

	await paste(page, Array.from({length: 2000}, fresh).join('\n'))
	await says(status(dialog(page)), '2,000 SHA-256 hashes')
	await expect(field(dialog(page), 'Hashes')).toHaveCount(0)
	await decide(page, 'Undo paste')
	const text = field(dialog(page), 'Hashes')
	await isFocused(text)
	await text.fill('typed')
	await text.fill(Array.from({length: 2000}, fresh).join('\n'))
	await isFocused(button(dialog(page), 'Undo paste'))
	await press(page, 'Enter')
	await expect(text).toHaveValue('typed')
})

test('a comparison with a file that cannot be read says so, and shows no other', async ({page}) => {
	await openEditorOf(page, 'Known bad files')
	await press(page, 'd')
	await decide(page, /With another list/)
	await option(page).first().click()
	await says(status(dialog(page)), 'on both')
	await lockFiles(page)
	await dialog(page)
		.locator('input[type=file]')
		.setInputFiles(import.meta.filename)
	await reads(alert(dialog(page)), 'file-list-editor.spec.ts could not be opened.')
	await expect(dialog(page)).not.toContainText('on both')
	await press(page, 'Escape', '?')
	await reads(dialogTitle(page), 'Keyboard shortcuts')
	await paste(page, fresh())
	await reads(dialogTitle(page), 'Keyboard shortcuts')
})

test('a hash that our events call clean needs a reason and its first characters typed', async ({page, service}) => {
	const clean = await cleanHash(service)
	await openEditorOf(page, 'Incident 2024-117')
	await stage(page, clean)
	await isNamed(row(page, clean), /needs a reason, .*Stored events call it clean/)
	await isOff(button(page, 'Commit…'))
	await row(page, clean).dblclick()
	await reasonOf(page).fill('our own tool, retired')
	await decide(page, 'Keep')
	await isNamed(row(page, clean), /ready, .*reason: our own tool, retired/)
	// Of a selection, what is left empty is not replaced.
	await row(page, clean).click()
	await press(page, 'x')
	await push(page, /^Note and reason/)
	await field(dialog(page), 'Note').fill('INC-7')
	await decide(page, 'Keep')
	await dialogIsGone(page)
	await isNamed(row(page, clean), /INC-7/)
	await isNamed(row(page, clean), /reason: our own tool, retired/)
	await plan(page, 'case 8')
	await shows(dialog(page), /Stored events call [0-9a-f]{8} clean/)
	await dialogSays(page, /[\d,]+ computers enforce this list|No computer enforces this list/)
	const send = button(dialog(page), /^Commit 1 change to /)
	const typed = field(dialog(page), `Type the beginning of the hash: ${clean.slice(0, 8)}`)
	await isFocused(typed)
	const before = await writesTo(service)
	await send.click()
	await shows(dialog(page), `Type ${clean.slice(0, 8)}.`)
	expect(await writesTo(service)).toEqual(before)
	await typed.fill(clean.slice(0, 8))
	await send.click()
	await isCommitted(page, '●1 done')
	await finish(page)
	// So does the command.
	await runLine(page, `svc_set_file_list_files_by_sha file_list_guid=${listIn(page)} sha256=${clean}`)
	await isShown(typed)
})

test('a commit that fails in part keeps the rest with the reason, and can be retried alone', async ({page, service}) => {
	await openEditorOf(page, 'Ransomware indicators')
	const [one, two, three] = [fresh(), fresh(), fresh()]
	await stage(page, [one, two, three].join('\n'))
	await service.weather(`POST *${two}*=status:400`)
	await commit(page, 'case 9', 'Commit 3 changes to Ransomware indicators in Test tenant TEST')
	await isCommitted(page, '●2 done✕1 failed', 'completed with issues')
	await decide(page, '1 failed')
	const results = grid(dialog(page), 'Results')
	await isShown(tableRow(results, new RegExp(`^${two}, failed`)))
	await service.weather()
	await page.evaluate(() => {
		URL.createObjectURL = () => {
			throw new Error('No room')
		}
	})
	await decide(page, 'Save results')
	await says(alert(dialog(page)), 'No room')
	await decide(page, 'Retry failed (1)…')
	await reasonOf(page).fill('case 9 again')
	await decide(page, 'Check and plan')
	await decide(page, /^Commit 1 change to /)
	await isCommitted(page, '●1 done')
	await finish(page)
	await isShown(page.getByText('Nothing is staged').first())
})

test('rows that cannot be removed from the draft stay, and the editor says why', async ({page, app}) => {
	await openEditorOf(page, 'Mac adware')
	const one = fresh()
	await stage(page, one)
	await onBrokenDisk(app.profile, 'drafts.db', 'DELETE ON draft_row', async () => {
		await row(page, one).click()
		await press(page, 'x', 'Delete')
		await says(alert(page), 'the disk is broken')
	})
	await push(page, 'Remove from draft')
	await isHidden(row(page, one))
	await isHidden(alert(page))
	// The key is about the row that is marked now.
	await stage(page, `${fresh()}\n${fresh()}`)
	await tableRow(rows(page), /, add,/)
		.first()
		.click()
	await press(page, 'Delete')
	await says(bar(page), '1 staged')
	await press(page, 'Delete')
	await says(bar(page), '0 staged')
	// A selection in another view is not what the key is about.
	await stage(page, `${one}\n${'b'.repeat(40)}`)
	await row(page, one).click()
	await press(page, 'x')
	const selected = group(page, 'Selected rows')
	await says(selected, 'Delete')
	await push(page, /^Refused 1/)
	await says(selected, '1 selected row is out of view.')
	await expect(selected).not.toContainText('Delete')
	// Nor what was marked there, nor what stands in its place.
	await push(page, /^All 2/)
	await row(page, one).click()
	await push(page, /^Refused 1/)
	await pressIn(rows(page), 'Delete')
	await expect(page.getByText('Go to a row first')).toBeAttached()
	await says(bar(page), '2 staged')
	await row(page, 'b{40}').click()
	await press(page, 'Delete')
	await says(bar(page), '1 staged: +1 · 1 ready')
	await push(page, 'Remove from draft')
	await says(bar(page), '0 staged')
})

alone.describe('a connection that is read-only here', () => {
	alone.use({setup: {...usualSetup, connection: 'locked'}})

	alone('takes what is staged, and its commit wears a lock with the reason', async ({page}) => {
		await openEditorOf(page, 'Linux miners')
		await stage(page, fresh())
		await says(bar(page), '1 staged: +1 · 1 ready')
		const commit = button(page, 'Commit…')
		await isOff(commit)
		await expect(async () => {
			await page.mouse.move(0, 0)
			await commit.hover()
			await expect(page.getByRole('tooltip')).toContainText('This connection is read-only', {timeout: 5000})
		}).toPass()
		await press(page, '?')
		await says(region(dialog(page), 'File-list editor'), 'Discard the draft…')
	})
})
