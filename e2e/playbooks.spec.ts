/** A playbook from its form to its end: a question, its answer, a step that fails and is retried. */
import {hasNoViolations} from './axe.ts'
import {expect, test} from './house.ts'
import {goTo} from './jobs.ts'
import {dialog, writesIn} from './screens.ts'

// A computer is isolated.
test.use({houseName: 'playbooks'})

test('a playbook asks, isolates after the answer, and shows each step', async ({page, service}) => {
	await goTo(page, '/playbooks')
	await page.getByRole('button', {name: 'Start Contain an endpoint'}).click()
	await hasNoViolations(page)
	await dialog(page).getByRole('textbox', {name: 'Computer: host name or GUID'}).fill('FIN-LT-0231')
	await dialog(page).getByRole('textbox', {name: 'Reason for the incident log'}).fill('Beaconing')
	const before = writesIn(await service.requests())
	await dialog(page).getByRole('button', {name: 'Start playbook'}).click()
	const question = page.getByRole('region', {name: 'Question: Ask for approval'})
	await expect(question).toContainText('Isolate FIN-LT-0231?')
	await hasNoViolations(page)
	expect(writesIn(await service.requests())).toEqual(before)
	await question.getByRole('button', {name: 'Yes'}).click()
	await page.getByRole('button', {name: 'List'}).click()
	await expect(page.getByRole('row').filter({hasText: 'Wait until isolated'})).toContainText('done')
	await expect(page.getByRole('button', {name: 'Run again'})).toBeVisible()
	await hasNoViolations(page)
	await goTo(page, '/playbooks')
	// The list names the last run, too.
	await expect(page.getByRole('row', {name: /^Contain an endpoint completed/})).toBeVisible()
	await hasNoViolations(page)
})

test('a step that fails is named, and a no sends nothing', async ({page, service}) => {
	await goTo(page, '/playbooks')
	await page.getByRole('button', {name: 'Start Contain an endpoint'}).click()
	await dialog(page).getByRole('textbox', {name: 'Computer: host name or GUID'}).fill('NO-SUCH-HOST')
	await dialog(page).getByRole('textbox', {name: 'Reason for the incident log'}).fill('Beaconing')
	const before = writesIn(await service.requests())
	await dialog(page).getByRole('button', {name: 'Start playbook'}).click()
	await expect(page.getByText('There is no NO-SUCH-HOST on this connection.').first()).toBeVisible()
	await page.getByRole('textbox', {name: 'Reason for skipping'}).fill('Named by hand')
	await page.getByRole('button', {name: 'Skip step'}).click()
	await page.getByRole('region', {name: 'Question: Ask for approval'}).getByRole('button', {name: 'No'}).click()
	await expect(page.getByText('Ask for approval: the answer was no.').first()).toBeVisible()
	expect(writesIn(await service.requests())).toEqual(before)
})
