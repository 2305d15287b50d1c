import {addConnection, startService} from './running.mjs'
import {button, comboBox, field, grid, link, option, tableRow} from './roles.mjs'
import {listIsRead} from './stage.mjs'

/** From the default seed's tenant; the service refuses two of the moves. */
const moved = Array.from({length: 12}, (_, index) => `OPS-WS-${String(index + 1).padStart(4, '0')}`)
const isolated = ['FIN-LT-0002', 'FIN-LT-0003', 'FIN-LT-0231', 'HR-LT-0002', 'HR-LT-0003', 'HR-WS-0005', 'HR-WS-0001']
const jobMs = 120_000

export async function showJobs({program, profile, take}) {
	const service = await startService(program, ['--computers', '2000', '--agent-delay', '6000'])
	try {
		await addConnection(program, profile, service, 'Test tenant')
		await take(profile, [], async stage => {
			await listIsRead(stage.page)
			await showEnded(stage, service)
			await showRunning(stage)
		})
	} finally {
		await service.stop()
	}
}

async function showEnded(stage, service) {
	const {page, picture, wide} = stage
	await openBulk(stage, 'move', moved)
	const dialog = page.getByRole('dialog')
	await comboBox(dialog, 'To the group').fill('Triage')
	await option(page, /Triage/)
		.first()
		.click()
	await plan(page, 'Beaconing in Operations, ticket 4711')
	await service.weather('PATCH /v1/computers/*=status:400,after:7,times:2')
	await apply(page)
	await dialog
		.getByText(/2 failed/)
		.first()
		.waitFor({timeout: jobMs})
	await link(dialog, 'Open the job').click()
	await page.getByRole('main').getByText('completed with issues').waitFor({timeout: jobMs})
	await service.weather()
	await picture('job-failed')
	await wide('job-failed-wide')
}

async function showRunning(stage) {
	const {page, go, picture, look, wide} = stage
	await openBulk(stage, 'isolate', isolated)
	await plan(page, 'Ransomware in Finance')
	await look('bulk-plan')
	await apply(page)
	const dialog = page.getByRole('dialog')
	await link(dialog, 'Open the job').click()
	const main = page.getByRole('main')
	await button(main, /\d done/)
		.first()
		.waitFor({timeout: jobMs})
	await picture('job-running')
	await wide('job-running-wide')
	await go('/jobs')
	await tableRow(grid(page, 'Jobs')).nth(2).waitFor()
	await picture('jobs')
	await wide('jobs-wide')
}

async function openBulk({page, go}, kind, names) {
	await go('/computers')
	await listIsRead(page)
	await page.keyboard.press('Control+k')
	const box = comboBox(page, 'Search computers, groups and commands')
	await box.fill(`bulk: ${kind}`)
	await option(page).first().waitFor()
	await box.press('Enter')
	await field(page.getByRole('dialog'), 'Host names or GUIDs').fill(names.join('\n'))
}

async function plan(page, reason) {
	const dialog = page.getByRole('dialog')
	await field(dialog, 'Reason').fill(reason)
	await button(dialog, 'Create plan').click()
	await button(dialog, 'Save plan').waitFor()
}

async function apply(page) {
	const dialog = page.getByRole('dialog')
	const typed = field(dialog, /^Type /)
	if (await typed.isVisible()) {
		const label = await dialog
			.locator('label')
			.filter({hasText: /^Type /})
			.textContent()
		await typed.fill(/: (\S+)/.exec(label ?? '')?.[1] ?? '')
	}
	await button(dialog, / in Test tenant/).click()
}
