import type {Page} from '@playwright/test'

import {expect, test} from './house.ts'
import {
	answerLine,
	button,
	commandLine,
	drawer,
	filterBox,
	grid,
	listIsRead,
	option,
	press,
	rowOf,
	runLine,
	tab,
	tableRow,
	withoutWatch,
	writesTo,
	shows,
	isShown,
	isHidden,
	isFocused,
	says,
	thereAre
} from './screens.ts'

const result = 'Views of the result'

const lineIs = (page: Page, text: string | RegExp) => expect(commandLine(page)).toHaveValue(text)

test('a typed line answers as table, raw and message', async ({listed: page}) => {
	await runLine(page, '!svc_get_computers limit=3 hostname=FIN-')
	const table = grid(drawer(page), 'List computers')
	await thereAre(tableRow(table), 4)
	await says(tableRow(table).nth(1), 'FIN-')
	await says(answerLine(page), /^3 of \d+ computers/)

	await tab(drawer(page), 'JSON').click()
	await says(records(page), '"connector_guid"')
	await tab(drawer(page), 'Message').click()
	await says(drawer(page).getByRole('tabpanel'), /Duration\s*\d+ ms/)
	await says(drawer(page).getByRole('tabpanel'), 'Log entry')
	await isShown(drawer(page).getByRole('tablist', {name: result}))
	await says(page.getByRole('contentinfo'), 'svc_get_computers limit=3 hostname=FIN-')
})

test('numbers of 19 digits stay exact', async ({listed: page}) => {
	await runLine(page, 'svc_get_events limit=1')
	await tab(drawer(page), 'JSON').click()
	await says(records(page), /"id": \d{18,19}\b/)
})

test('completes commands, arguments and values', async ({listed: page}) => {
	await press(page, ':')
	await isFocused(commandLine(page))
	const options = option(page.getByRole('listbox', {name: 'Completions'}))
	await page.keyboard.type('svc_get_gr')
	await says(options.first(), 'svc_get_gr')
	await press(page, 'Escape')
	await commandLine(page).fill('')
	await page.keyboard.type('svc_get_computers hostn')
	await isShown(options.filter({hasText: 'hostname'}))
	await press(page, 'Tab')
	await lineIs(page, 'svc_get_computers hostname=')
	await page.keyboard.type('FIN-LT-02')
	await isShown(options.filter({hasText: 'FIN-LT-0231'}))
	await press(page, 'ArrowDown', 'Enter')
	await lineIs(page, /hostname=FIN-LT-02/)
})

test('keeps a history that the arrow keys walk and Ctrl+R searches', async ({listed: page}) => {
	await runLine(page, 'svc_get_version')
	await says(answerLine(page), /version/i)
	await runLine(page, 'svc_get_groups limit=2')
	await says(answerLine(page), '2 of 44 groups')
	await commandLine(page).press('ArrowUp')
	await lineIs(page, 'svc_get_groups limit=2')
	await commandLine(page).press('ArrowUp')
	await lineIs(page, 'svc_get_version')
	await commandLine(page).press('ArrowDown')
	await lineIs(page, 'svc_get_groups limit=2')
	await commandLine(page).fill('')
	await commandLine(page).press('Control+r')
	await expect(option(page.getByRole('listbox', {name: 'Earlier lines'}))).not.toHaveCount(0)
})

test('says under the line what is wrong with it, and sends nothing', async ({listed: page, service}) => {
	const before = withoutWatch(await service.requests())
	const mistakes: [line: string, told: RegExp][] = [
		['svc_get_nothing', /no (such )?command/i],
		['svc_get_computer_by_connector', /connector_guid/],
		['svc_get_computer_by_connector connector_guid=FIN-LT-02', /"FIN-LT-02" is a name.*choose what is meant/],
		['svc_get_computers limit=many', /limit/],
		['svc_get_computers colour=red', /colour/],
		['svc_get_computers internal_ip=10.0.0.999', /internal_ip/]
	]
	for (const [line, told] of mistakes) {
		await runLine(page, line)
		await expect(commandLine(page)).toHaveAttribute('aria-invalid', 'true')
		await expect(commandLine(page)).toHaveAccessibleDescription(told)
		await lineIs(page, line)
	}
	expect(withoutWatch(await service.requests())).toEqual(before)
})

test('a change asks first, the focus on Cancel, and unlock codes are masked everywhere', async ({page, service, app}) => {
	const before = await writesTo(service)
	await listIsRead(page)
	const guid = await guidOfHost(page, 'FIN-LT-0231')
	await runLine(page, `svc_put_computers_isolation connector_guid=${guid} unlock_code=Tellnobody9 comment=Test`)
	const confirm = page.getByRole('alertdialog')
	await says(confirm, 'Cuts FIN-LT-0231 off the network')
	await expect(confirm).not.toContainText('Tellnobody9')
	await isFocused(button(confirm, 'Cancel'))
	await press(page, 'Enter')
	await isHidden(confirm)
	expect(await writesTo(service)).toEqual(before)

	await commandLine(page).press('Enter')
	await button(confirm, /^Isolate FIN-LT-0231 in Test tenant TEST/).click()
	await says(answerLine(page), /FIN-LT-0231/)
	await thereAre(page.getByText('Tellnobody9'), 0)
	await commandLine(page).press('ArrowUp')
	await lineIs(page, /svc_put_computers_isolation/)
	await expect(commandLine(page)).not.toHaveValue(/Tellnobody9/)
	const log = await app.cli('log', '--json', '--target', guid)
	expect(log.stdout).toContain('svc_put_computers_isolation')
	expect(log.stdout).not.toContain('Tellnobody9')

	// Restores the house, and what Cordon knows of it.
	await service.agentsAnswer(guid)
	await app.cli('svc_delete_computers_isolation', guid, '--comment', 'Over')
	await app.cli('svc_get_computers_isolation', guid, '--status', 'not_isolated', '--wait', '60')
	await press(page, 'Escape')
	await filterBox(page).fill('name:FIN-LT-0231')
	await expect(rowOf(page, 'FIN-LT-0231')).toHaveAccessibleName(/isolation: not isolated/)
})

test('a short verb takes the name that one computer alone has, in any case, and asks about that computer', async ({listed: page}) => {
	await runLine(page, 'isolate fin-lt-0231 comment=Drill')
	const confirm = page.getByRole('alertdialog')
	await says(confirm, 'Cuts FIN-LT-0231 off the network')
	await press(page, 'Escape')
	await isHidden(confirm)
	// Two computers have this name.
	await runLine(page, 'isolate ENG-LT-0014 comment=Drill')
	await expect(commandLine(page)).toHaveAccessibleDescription(/choose what is meant/)
	await isHidden(confirm)
})

test('help lists the commands, and help with a name explains one', async ({listed: page}) => {
	await runLine(page, 'help')
	await shows(drawer(page), 'svc_put_computers_isolation')
	await runLine(page, 'help svc_get_computers')
	await says(drawer(page), 'Lists computers, filtered by host name')
	await says(drawer(page), '!svc_get_computers limit=10 hostname=FIN-')
})

function records(page: Page) {
	return drawer(page).getByLabel('Records as received', {exact: true})
}

async function guidOfHost(page: Page, hostname: string) {
	await runLine(page, `svc_get_computers limit=1 hostname=${hostname}`)
	await says(answerLine(page), '1 computer')
	await tab(drawer(page), 'JSON').click()
	const raw = await records(page).innerText()
	return /"connector_guid": "([0-9a-f-]{36})"/.exec(raw)?.[1] ?? ''
}
