/** Many computers at once: ten are isolated with a server among them, and thirty are moved and moved back. */
import type {Page} from '@playwright/test'

import {usualSetup} from '../fixtures.ts'
import {askService, type SandboxProcess} from '../processes.ts'
import {counts} from '../jobs.ts'
import {
	button,
	comboBox,
	computers,
	dialog,
	field,
	filterBox,
	link,
	list,
	listIsRead,
	option,
	reasonOf,
	tableRow,
	tenant,
	shows,
	isShown,
	isFocused,
	says,
	reads
} from '../screens.ts'
import {expectIsolations, timesIn, type Computer} from './state.ts'
import {expect, task} from './task.ts'

const names = [
	...['HR-LT-0001', 'HR-LT-0005', 'HR-LT-0009', 'HR-LT-0013', 'HR-LT-0014', 'HR-LT-0042'],
	...['HR-SRV-001', 'HR-WS-0001', 'HR-WS-0002', 'HR-WS-0005']
]

const confirm = (page: Page) => button(dialog(page), new RegExp(` in ${tenant}$`))

task.describe(() => {
	// Agents answer when the task says so: there is time to stop.
	task.use({setup: {...usualSetup, service: ['--computers', '300', '--seed', 'e2e', '--agent-delay', '600000']}})

	task('3 isolate ten computers with a server among them, stop, retry', async ({page, hand, service, app}) => {
		await listIsRead(page)
		await hand.click(filterBox(page))
		await hand.type('name:HR- last_seen<1h isolation:not_isolated')
		await hand.press('Enter')
		await shows(page, /^10 of the 300/)
		await hand.press('Control+a')
		await shows(page, '10 selected')
		await hand.click(button(page, 'Isolate… i'))
		await isFocused(reasonOf(page))
		await hand.say('Ransomware in HR')
		await hand.click(button(dialog(page), 'Create plan'))
		await isShown(button(dialog(page), 'Save plan'))
		await hand.click(field(dialog(page), 'Type the number of targets: 9'))
		await hand.type('9')
		await hand.click(confirm(page))
		await reads(counts(page), /1 awaiting confirmation/)
		await hand.click(dialog(page).getByText('1 computer on which others may depend'))
		await isShown(field(dialog(page), 'Type the name: HR-SRV-001'))
		await hand.click(field(dialog(page), 'Type the name: HR-SRV-001'))
		await hand.type('HR-SRV-001')
		await hand.click(confirm(page))
		await reads(counts(page), /1 awaiting confirmation/)
		hand.leg('isolate')

		await hand.click(dialog(page).getByText(/^9 computers/))
		await hand.click(button(dialog(page), 'Stop job'))
		await reads(counts(page), /8 not sent/)
		hand.leg('stop')

		// The one that was sent has not answered yet.
		await hand.click(link(dialog(page), 'Open the job'))
		await hand.click(button(page, /^Retry 8/))
		await hand.click(field(dialog(page), 'Type the number of targets: 8'))
		await hand.type('8')
		await hand.click(confirm(page))
		// Each wave waits for the agents of the one before.
		await expect(async () => {
			await service.agentsAnswer()
			await expect(counts(page).last()).toHaveText('●8 done', {timeout: 500})
		}).toPass({timeout: 30_000})
		hand.leg('retry')
		await expectIsolations(service, names, 'isolated')
		expect(await timesIn(app, 'svc_put_computers_isolation')).toBe(10)
	})
})

task.describe(() => {
	task.use({limits: {move: {clicks: 6}}})

	task('4 move 30 computers and undo', async ({page, hand, service, app}) => {
		await listIsRead(page)
		const groups = await askService<readonly {name: string; guid: string}[]>(service, 'groups?limit=500')
		const named = (name: string) => groups.find(group => group.name === name)?.guid ?? 'none'
		const before = await groupsOf(service)
		const triaged = before.filter(({group_guid: group}) => group === named('Triage')).length
		await hand.press('/')
		await hand.type('group:"Ward Workstations"')
		await hand.press('Enter')
		await shows(page, /^40 of the 300/)
		const rows = tableRow(computers(page), /isolation:/)
		const last = computers(page).locator('[role="row"][aria-rowindex="31"]')
		await hand.click(rows.first())
		await hand.wheel(computers(page), last)
		await hand.clickWith('Shift', last)
		await shows(page, '30 selected')
		await hand.click(button(page.getByRole('group', {name: 'Selection'}), /^Move…/))
		await isFocused(comboBox(dialog(page), 'To the group'))
		await hand.type('Triage')
		await hand.click(option(page, /Triage/).first())
		await hand.click(reasonOf(page))
		await hand.say('Watched more closely')
		await hand.press('Control+Enter')
		await isShown(button(dialog(page), 'Save plan'))
		await hand.click(field(dialog(page), 'Type the number of targets: 30'))
		await hand.type('30')
		await hand.press('Control+Enter')
		await reads(counts(page), '●30 done')
		hand.leg('move')
		const moved = (await groupsOf(service)).filter(({group_guid: group}) => group === named('Triage'))
		expect(moved.length).toBe(triaged + 30)

		await hand.click(button(dialog(page), 'Undo…'))
		await says(dialog(page, 'Undo this change?'), 'Will be sent: 30 changes')
		await hand.click(field(dialog(page), 'Type to confirm: 30'))
		await hand.type('30')
		await hand.click(confirm(page))
		await reads(list(dialog(page, 'Change undone'), 'Counts by outcome'), '●30 done')
		hand.leg('undo')
		expect(await groupsOf(service)).toEqual(before)
		expect(await timesIn(app, 'svc_move_computer')).toBe(60)
	})
})

/** Every computer with its group. */
async function groupsOf(service: SandboxProcess): Promise<readonly Pick<Computer, 'connector_guid' | 'group_guid'>[]> {
	const all = await askService<readonly Computer[]>(service, 'computers?limit=500')
	return all.map(({connector_guid, group_guid}) => ({connector_guid, group_guid}))
}
