import type {Page} from '@playwright/test'

import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {
	aside,
	button,
	commandLine,
	dialog,
	grid,
	link,
	listIsRead,
	press,
	savedBy,
	status,
	tab,
	screenIs,
	writesTo,
	shows,
	isShown,
	isFocused,
	says,
	hasValue,
	thereAre,
	push
} from './screens.ts'

async function openScreen(page: Page) {
	await listIsRead(page)
	await page.goto(`${new URL(page.url()).origin}/#/command-line`)
	await screenIs(page, 'Command line')
	await isFocused(commandLine(page))
}

async function run(page: Page, line: string) {
	await commandLine(page).fill(line)
	await commandLine(page).press('Enter')
}

function block(page: Page, line: string) {
	return page.getByRole('article', {name: new RegExp(`^!${line},`)})
}

test('earlier lines stay with their answers, and say whether the answer is complete', async ({page}) => {
	await openScreen(page)
	await shows(page, 'Nothing has been run yet')
	await hasNoViolations(page)
	await run(page, 'svc_get_version')
	await says(block(page, 'svc_get_version'), '✓ done')
	await run(page, 'svc_get_groups limit=3')
	await says(block(page, 'svc_get_groups limit=3'), '41 more at the service')
	await run(page, 'svc_get_groups all')
	await says(block(page, 'svc_get_groups all'), 'these are all')
	await thereAre(page.getByRole('article'), 3)
	await expect(grid(block(page, 'svc_get_groups all'))).toBeInViewport()
	await hasNoViolations(page)
	// Leaves the screen and comes back: everything is still there.
	await link(page.getByRole('navigation', {name: 'Screens'}), /^Computers/).click()
	await page.goBack()
	await thereAre(page.getByRole('article'), 3)
	await push(page, 'Clear')
	await thereAre(page.getByRole('article'), 0)
})

test('lines run side by side, and the newest is stopped by keyboard', async ({page, service}) => {
	await openScreen(page)
	await service.weather('GET /v1/policies*=hang')
	await run(page, 'svc_get_policies')
	await says(block(page, 'svc_get_policies'), 'runs')
	await run(page, 'svc_get_version')
	await says(block(page, 'svc_get_version'), '✓ done')
	await isShown(status(page).filter({hasText: '1 running'}))
	await commandLine(page).press('Control+.')
	await says(block(page, 'svc_get_policies'), '■ stopped')
	await hasNoViolations(page)
})

test('a long answer is paged as JSON and saved as a file', async ({page}) => {
	await openScreen(page)
	await run(page, 'svc_get_computers all')
	const answer = block(page, 'svc_get_computers all')
	await tab(answer, 'JSON').click()
	await says(answer, 'Records 1 to 200 of 300')
	await push(answer, 'Next records')
	await says(answer, 'Records 201 to 300 of 300')
	await push(answer, 'Copy or save…')
	await hasNoViolations(page)
	expect((await savedBy(button(dialog(page), 'Save as CSV'))).name).toBe('svc_get_computers.csv')
})

test('everything by keyboard: completion, history, help, moving between answers', async ({page}) => {
	await openScreen(page)
	await page.keyboard.type('svc_get_vers')
	await press(page, 'Tab')
	await hasValue(commandLine(page), /^svc_get_version/)
	await press(page, 'Escape', 'Enter')
	await says(block(page, 'svc_get_version'), '✓ done')
	await press(page, 'Control+r')
	await isShown(page.getByRole('listbox', {name: 'Earlier lines'}))
	await press(page, 'Escape', 'F1')
	await page.keyboard.type('isolat')
	const panel = aside(page, 'Commands')
	await says(panel, 'svc_put_computers_isolation')
	await expect(panel).not.toContainText('svc_get_version')
	await press(page, 'Alt+ArrowUp')
	await isFocused(block(page, 'svc_get_version'))
	await press(page, 'Alt+ArrowDown')
	await isFocused(commandLine(page))
})

test('a line from a link is filled in and not run; a change asks first', async ({page, service, app}) => {
	const before = await writesTo(service)
	await listIsRead(page)
	const line = encodeURIComponent(JSON.stringify('svc_delete_computers_isolation 11111111-2222-4333-8444-555555555555'))
	await page.goto(`http://127.0.0.1:${app.port()}/#/command-line?line=${line}`)
	await hasValue(commandLine(page), /^svc_delete_computers_isolation/)
	await expect(page).not.toHaveURL(/line=/)
	await thereAre(page.getByRole('article'), 0)
	await commandLine(page).press('Escape')
	await commandLine(page).press('Enter')
	await isFocused(button(page.getByRole('alertdialog'), 'Cancel'))
	await press(page, 'Enter')
	expect(await writesTo(service)).toEqual(before)
})
