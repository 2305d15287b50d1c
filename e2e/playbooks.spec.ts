/** A playbook from its form to its end: a question, its answer, a step that fails and is retried. */
import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {button, dialog, field, region, writesTo} from './screens.ts'

// A computer is isolated.
test.use({houseName: 'playbooks'})

test('a playbook asks, isolates after the answer, and shows each step', async ({page, service}) => {
	await goTo(page, '/playbooks')
	await button(page, 'Start Contain an endpoint').click()
	await hasNoViolations(page)
	await field(dialog(page), 'Computer: host name or GUID').fill('FIN-LT-0231')
	await field(dialog(page), 'Reason for the incident log').fill('Beaconing')
	const before = await writesTo(service)
	await button(dialog(page), 'Start playbook').click()
	const question = region(page, 'Question: Ask for approval')
	await expect(question).toContainText('Isolate FIN-LT-0231?')
	await hasNoViolations(page)
	expect(await writesTo(service)).toEqual(before)
	await button(question, 'Yes').click()
	await button(page, 'List').click()
	await expect(page.getByRole('row').filter({hasText: 'Wait until isolated'})).toContainText('done')
	await expect(button(page, 'Run again')).toBeVisible()
	await hasNoViolations(page)
	await goTo(page, '/playbooks')
	// The list names the last run, too.
	await expect(page.getByRole('row', {name: /^Contain an endpoint completed/})).toBeVisible()
	await hasNoViolations(page)
})

test('a step that fails is named, and a no sends nothing', async ({page, service}) => {
	await goTo(page, '/playbooks')
	await button(page, 'Start Contain an endpoint').click()
	await field(dialog(page), 'Computer: host name or GUID').fill('NO-SUCH-HOST')
	await field(dialog(page), 'Reason for the incident log').fill('Beaconing')
	const before = await writesTo(service)
	await button(dialog(page), 'Start playbook').click()
	await expect(page.getByText('There is no NO-SUCH-HOST on this connection.').first()).toBeVisible()
	await field(page, 'Reason for skipping').fill('Named by hand')
	await button(page, 'Skip step').click()
	await button(region(page, 'Question: Ask for approval'), 'No').click()
	await expect(page.getByText('Ask for approval: the answer was no.').first()).toBeVisible()
	expect(await writesTo(service)).toEqual(before)
})

test('a secret for a header is stored for one origin, is never shown, and is deleted', async ({page}) => {
	await goTo(page, '/playbooks')
	const secrets = page.getByRole('region', {name: 'Secrets', exact: true})
	await secrets.getByRole('button', {name: 'New secret…'}).click()
	const [name, origin, value] = ['Name', 'Origin it is sent to', 'Secret'].map(label =>
		dialog(page).getByRole('textbox', {name: label, exact: true}),
	)
	await name?.fill('tickets')
	await origin?.fill('tickets.example.org')
	await value?.fill('open-sesame-12')
	await dialog(page).getByRole('button', {name: 'Store secret'}).click()
	await expect(dialog(page)).toContainText('Write it as https://tickets.example.org.')
	await hasNoViolations(page)
	await origin?.fill('https://tickets.example.org')
	await dialog(page).getByRole('button', {name: 'Store secret'}).click()
	await expect(secrets.getByRole('row')).toHaveText(/tickets.*https:\/\/tickets\.example\.org/)
	await expect(page.locator('body')).not.toContainText('open-sesame-12')
	await hasNoViolations(page)
	await secrets.getByRole('button', {name: 'Delete secret tickets'}).click()
	await expect(secrets.getByRole('row')).toHaveCount(0)
})
