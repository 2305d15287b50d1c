/** A playbook from the empty editor to the file of its run: built, approved by another, failed, retried. */

import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {
	answerLine,
	button,
	computers,
	decide,
	dialog,
	dialogIsGone,
	field,
	group,
	guidOf,
	link,
	list,
	listIsRead,
	main,
	menuItem,
	openComputer,
	press,
	region,
	runLine,
	savedBy,
	tableRow,
	writesTo,
	shows,
	isShown,
	isHidden,
	isFocused,
	says,
	hasValue,
	push,
	enter
} from './screens.ts'

// A computer is isolated, and playbooks are stored.
test.use({houseName: 'playbook-editor'})

const passphrase = 'correct horse battery'

async function trustAna(page: Page) {
	await goTo(page, '/approvals')
	await push(page, 'Create key…')
	await page.keyboard.type('Ana Lima')
	for (const label of ['Passphrase (12 characters or more)', 'Passphrase again'])
		await dialog(page).getByLabel(label, {exact: true}).fill(passphrase)
	await decide(page, 'Create key')
	await push(page, 'Trust Ana Lima')
	await enter(page, /^Type Ana Lima/, 'Ana Lima')
	await decide(page, 'Trust key')
	await dialogIsGone(page)
}

async function choose(page: Page, label: string, option: string) {
	await button(page, new RegExp(`${label}$`)).press('Enter')
	await page.getByRole('option', {name: option, exact: true}).press('Enter')
}

async function addStep(page: Page, kind: string, name: string) {
	await choose(page, 'New step', kind)
	await button(page, 'Add step').press('Enter')
	await isFocused(field(page, 'Name', true))
	await field(page, 'Name', true).fill(name)
}

test('is built by keyboard, approved, fails, is retried, and exported', async ({page, service}) => {
	await trustAna(page)
	await goTo(page, '/playbooks')
	await push(page, 'New playbook')
	await field(page, 'Name', true).fill('Drill')
	await field(page, 'New variable').fill('computer')
	await button(page, 'Add variable').press('Enter')
	const graph = group(page, 'Graph')
	await button(graph, 'Start').press('Enter')
	await addStep(page, 'Question', 'Ask')
	await page.getByText('Needs approval by others').click()
	await addStep(page, 'Request', 'Isolate')
	const request = field(page, 'Request')
	await request.fill('PUT /computers/__host__:value/isolation')
	const problems = list(page, 'Problems')
	await says(problems, 'The variable __host__ is not declared.')
	await shows(page, 'Not valid')
	await hasNoViolations(page)
	await press(page, 'Control+z')
	await hasValue(request, 'GET /version')
	await press(page, 'Control+Shift+z')
	await request.fill('PUT /computers/__computer__:value/isolation')
	await shows(page, 'CACAO-valid')
	await button(graph, /^Isolate/).press('ArrowUp')
	await isFocused(button(graph, /^Ask/))
	await press(page, 'Control+s')
	await isShown(button(page, 'Save version'))

	await service.weather('PUT /v1/computers/*=status:400')
	await push(page, 'Start…')
	await enter(page, 'computer', 'FIN-LT-0231')
	const before = await writesTo(service)
	await decide(page, 'Start playbook')
	await link(page, 'To the approvals').click()
	const waiting = region(main(page), /Drill: Ask/)
	await says(waiting, 'FIN-LT-0231')
	expect(await writesTo(service)).toEqual(before)
	await push(waiting, /^Approve/)
	await dialog(page).getByLabel('Passphrase of the key').fill(passphrase)
	await decide(page, 'Approve', true)
	await dialogIsGone(page)

	await goTo(page, '/playbooks')
	await link(tableRow(page, /^Drill Test tenant failed/)).click()
	const failed = group(page, 'Failed step: Isolate')
	await isShown(failed)
	await service.weather()
	await push(failed, 'Retry step')
	await shows(main(page), 'completed', true)
	const {text: file} = await savedBy(button(page, 'Export run'))
	expect(JSON.parse(file)).toMatchObject({run: {title: 'Drill', state: 'completed'}, document: {name: 'Drill'}})
	expect(file).toContain('"attempt": 2')
})

test('hundreds of steps with paths of failure are edited, versions compared and restored', async ({page}) => {
	const text = JSON.stringify(longPlaybook(250))
	await goTo(page, '/playbooks')
	await page.getByLabel('Import playbook…').setInputFiles({name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(text)})
	await link(page, 'Long', true).click()
	const graph = group(page, 'Graph')
	await button(graph, 'Step 1 Request', true).press('End')
	await isFocused(button(graph, 'End'))
	await press(page, 'ArrowUp')
	const name = field(page, 'Name', true)
	await hasValue(name, 'Step 250')
	await name.fill('Last')
	await isShown(button(graph, /^Last/))
	await page.setViewportSize({width: 1000, height: 500})
	await expect(button(graph, /^Last/)).toBeInViewport({ratio: 1})
	await press(page, 'Control+s')
	await push(page, 'More')
	await menuItem(page, /Version history/).click()
	await isShown(tableRow(dialog(page), 'Last name Step 250 Last'))
	await hasNoViolations(page)
	await decide(page, /^Restore/)
	await isShown(button(graph, /^Step 250/))
	await push(page, 'Save version')
	await isShown(button(page, 'More'))
})

test('what is typed while a playbook is stored stays, and pressed twice it is stored once', async ({page}) => {
	let wait = 0
	await page.routeWebSocket(/wire$/, near => {
		const far = near.connectToServer()
		near.onMessage(message => void setTimeout(() => far.send(message), wait))
	})
	await page.reload()
	await goTo(page, '/playbooks/document/new')
	const [name, save] = [field(page, 'Name', true), button(page, 'Save version')]
	await name.fill('Typed')
	wait = 400
	await press(page, 'Control+s')
	await name.fill('Typed on')
	await isShown(save)
	await hasValue(name, 'Typed on')
	await save.dblclick({delay: 40})
	await name.press('End')
	await name.press('!')
	await expect(save).toBeEnabled()
	await hasValue(name, 'Typed on!')
	await push(page, 'Discard changes')
	await push(page, 'More')
	await isShown(menuItem(page, /Version history\D*2$/))
	await hasValue(name, 'Typed on')
})

test.describe('JSON of another shape', () => {
	test.use({expected: [/next_steps|React error #520/]}) // the page reports what it caught
	test('takes only the places of graph and form, and is undone', async ({page}) => {
		await goTo(page, '/playbooks/document/new')
		await button(group(page, 'Graph'), 'Start').press('Enter')
		await page.getByText('JSON', {exact: true}).click()
		const json = field(page, /^JSON of/)
		await json.fill('{"type": "start", "next_steps": "a"}')
		await expect(page.getByText('Could not show the playbook here')).toHaveCount(2)
		await hasValue(json, /"next_steps": "a"/)
		await push(page, 'Undo')
		await isShown(button(group(page, 'Graph'), 'Start'))
		await isShown(button(page, 'Add step'))
	})
})

test('what was done, by selected entries of the incident log, opens as a draft', async ({page}) => {
	await runLine(page, 'svc_get_groups limit=7')
	await says(answerLine(page), '7 of 44 groups')
	await press(page, 'Escape', 'Escape')
	await goTo(page, '/log')
	const drafting = button(page, 'Draft playbook')
	// The code of the next screen comes after the address of the row at the cursor would be written.
	await page.route('**/*.js', async route => {
		await page.evaluate(() => new Promise(done => window.setTimeout(done, 400)))
		await route.continue()
	})
	await tableRow(page, /7 of 44 groups/).click()
	await press(page, 'x')
	await drafting.click()
	await shows(page, 'CACAO-valid')
	await button(group(page, 'Graph'), /^List groups/).press('Enter')
	await hasValue(field(page, 'Request'), 'GET /groups?limit=7')
	await press(page, 'Control+s')
	await isShown(button(page, 'Save version'))
})

test('a computer, a selection and a hash fill the form of a start', async ({page}) => {
	const start = async (name: string, label: string, value: string | RegExp) => {
		await isHidden(link(page, 'Stale and duplicate computers'))
		await push(page, `Start ${name}`)
		await hasValue(field(dialog(page), label), value)
		await press(page, 'Escape')
	}
	await goTo(page, '/computers')
	await listIsRead(page)
	await tableRow(computers(page)).nth(1).click()
	await press(page, 'Control+a')
	await push(page, 'Playbook…', true)
	await shows(page, 'to start for 300 computers.')
	await start('Ransomware: first ten minutes', 'GUIDs of the affected computers', /,/)
	await goTo(page, '/computers')
	await openComputer(page, 'FIN-LT-0231')
	const guid = guidOf(page)
	await press(page, 'Control+Shift+b')
	await shows(page, 'to start for FIN-LT-0231.')
	await start('Contain an endpoint', 'Computer: host name or GUID', guid)
	await goTo(page, `/file-lists/hash/${'ab'.repeat(32)}`)
	await push(page, 'Playbook…', true)
	await start('Block a hash everywhere', 'SHA-256', 'ab'.repeat(32))
})

function longPlaybook(count: number): object {
	const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
	const action = (number: number) => (number > count ? `end--${uuid(0)}` : `action--${uuid(number)}`)
	const now = '2026-11-24T00:00:00.000Z'
	const commands = [{type: 'http-api', command: 'GET /version HTTP/1.1'}]
	const steps = Array.from({length: count}, (_one, index) => {
		const step = {
			type: 'action',
			name: `Step ${index + 1}`,
			on_success: action(index + 2),
			on_failure: action(Math.max(count, index + 2)),
			commands
		}
		return [action(index + 1), {...step, agent: `soarca--${uuid(1)}`, targets: [`http-api--${uuid(1)}`]}]
	})
	return {
		...{type: 'playbook', spec_version: 'cacao-2.0', id: `playbook--${uuid(1)}`, name: 'Long', created: now},
		...{modified: now, created_by: `identity--${uuid(1)}`, workflow_start: `start--${uuid(1)}`},
		workflow: {
			[`start--${uuid(1)}`]: {type: 'start', on_completion: action(1)},
			...Object.fromEntries(steps),
			[action(count + 1)]: {type: 'end'}
		},
		agent_definitions: {[`soarca--${uuid(1)}`]: {type: 'soarca', name: 'soarca-http-api'}},
		target_definitions: {
			[`http-api--${uuid(1)}`]: {...{type: 'http-api', name: 'Cordon'}, address: {url: ['http://127.0.0.1:4810/playbook.api']}}
		}
	}
}
