/** The network is cut at each step of an isolation: the screen stays true, and it recovers automatically. */
import {stepText} from '#text/changes.ts'

import {cableTo, type Cable} from './cable.ts'
import {expect, slowAgents, test as base} from './fixtures.ts'
import {
	alert,
	areListed,
	askToRelease,
	button,
	computers,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	expectIsolation,
	filterBox,
	guidOf,
	isolate,
	main,
	openComputer,
	reasonOf,
	receipt,
	tableRow,
	writesTo,
	shows,
	isShown,
	isHidden,
	says,
	push
} from './screens.ts'

const host = 'FIN-LT-0231'

const test = base.extend<{cable: Cable}>({cable: cableTo, serviceUrl: async ({cable}, use) => await use(cable.url)})

test.use({setup: slowAgents})

test('before an isolation: nothing is sent, and the screen says so', async ({page, cable, service}) => {
	await openComputer(page, host)
	await cable.pull()
	await push(page, 'Isolate…')
	await reasonOf(page).fill('Beaconing')
	await dialogSays(page, /Could not check whether this is possible: .*no program answers at/)
	await decide(page, /^Isolate FIN/)
	// The preflight says nearly the same, as a warning: only the alert is what came of the change.
	await says(alert(dialog(page)), /connection was refused: no program answers at/)
	expect(await writesTo(service)).toEqual([])

	await dialogSays(page, 'Now: unknown')

	await cable.plug()
	// Asked again by hand, if it is not known by itself before.
	const again = button(dialog(page), 'Check again')
	await expect(async () => {
		if (await again.isVisible()) await again.click({timeout: 1_000})
		await expect(dialog(page)).toContainText('Now: not isolated', {timeout: 2_000})
	}).toPass()
	await decide(page, /^Isolate FIN/)
	await dialogIsGone(page)
	await expectIsolation(page, 'pending_start')
})

test('after the service accepted: the state stays "starting" until it can be seen again', async ({page, cable, service}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	await isolate(page, host)
	await expectIsolation(page, 'pending_start')
	await cable.pull()
	await service.agentsAnswer(guid)
	await push(page, 'Refresh')
	await shows(page, /Could not refresh this computer: .*no program answers at/)
	await shows(page, /Since [\d:]+.*\. You are viewing older data/)
	await expectIsolation(page, 'pending_start')
	await says(receipt(page, 'confirmed'), stepText.waitingForAgent)

	await cable.plug()
	await push(page, 'Refresh')
	await expectIsolation(page, 'isolated')
	await isHidden(page.getByText(/You are viewing older data/))
})

test('at the release: it fails visibly, and works once the service is back', async ({page, cable, service}) => {
	await openComputer(page, host)
	const guid = guidOf(page)
	await isolate(page, host)
	await service.agentsAnswer(guid)
	await expectIsolation(page, 'isolated')
	const confirm = await askToRelease(page, host, 'Host is clean')
	await cable.pull()
	await confirm.click()
	await dialogSays(page, /connection was refused: no program answers at/)
	await cable.plug()
	await confirm.click()
	await dialogIsGone(page)
	await service.agentsAnswer(guid)
	await expectIsolation(page, 'not_isolated')
})

test('while the list loads: what arrived is kept and marked incomplete', async ({listed: page, cable, service}) => {
	await service.weather('GET /v1/computers*=latency:60000')
	await push(page, 'Refresh')
	await shows(main(page), /loading page/)
	await cable.pull()
	await shows(page, /Could not refresh the list: .*You see local data/)
	await expect(tableRow(computers(page))).not.toHaveCount(0)
	await areListed(page)

	await cable.plug()
	await service.weather()
	await button(page, 'Try again').first().click()
	await isHidden(page.getByText(/Could not refresh the list/))
	await isHidden(page.getByText(/You are viewing older data/))
})

test('the service itself is stopped: the local copy stays readable and can be filtered', async ({listed: page, service}) => {
	await service.stop()
	await push(page, 'Refresh')
	await shows(page, /Could not refresh the list: .*You see local data/)
	await filterBox(page).fill('name:FIN-')
	await isShown(tableRow(computers(page), /^FIN-/).first())
})
