import {isAccessible} from './axe.ts'
import {expect, test} from './fixtures.ts'
import {
	addExternal,
	ask,
	band,
	beginInstance,
	exportAuthority,
	form,
	forwardingSetup,
	goToInstances,
	instances,
	onAnyPort,
	openInstance,
	requests,
	routeOf,
	save,
	setExposed,
	setParameter,
	startUpstream
} from './forwarding.ts'
import {
	aside,
	chartAction,
	closeDialog,
	dialog,
	field,
	heading,
	option,
	press,
	region,
	tableRow,
	shows,
	isShown,
	isHidden,
	says,
	push,
	thereAre,
	pressIn
} from './screens.ts'

test.use({setup: forwardingSetup})

test.beforeEach(async ({app}) => await onAnyPort(app))

test('the list, the form in all its parts, the dialogs of the server, the parameters', async ({page, app}) => {
	await goToInstances(page)
	await isShown(heading(page, 'No instance yet'))
	await isAccessible(page)

	const added = await beginInstance(page, 'with blank', 9)
	await added.getByText('starts a command, keeps it running').click()
	for (const part of ['Addresses', 'Limits', 'Timeouts', 'Options', 'Health check']) await push(added, new RegExp(`^${part}`))
	await save(page)
	await expect(field(added, 'Command')).toHaveAttribute('aria-invalid', 'true')
	await isAccessible(page)
	await added.getByText('publishes a list for firewalls').click()
	await push(added, /Access control/)
	await option(page, /^User and password/).click()
	await isAccessible(page)
	await press(page, 'Escape')
	await isHidden(form(page))

	await press(page, 'Shift+C')
	for (const tab of ['In use', 'Let clients trust it', 'Use your own']) {
		await dialog(page).getByRole('tab', {name: tab}).click()
		await isAccessible(page)
	}
	await closeDialog(page)
	await press(page, 'Shift+N')
	await dialog(page).getByText('Every interface').click()
	await isAccessible(page)
	await closeDialog(page)

	await setParameter(app, 'instance.execute.external.gone', 'true')
	await press(page, 'Shift+P')
	await push(page, 'Change instance.execute.external.gone')
	await push(page, 'Add', true)
	await shows(page, 'Type a key.')
	await isAccessible(page)
})

test('one instance, its dialogs, beside the list, and at 200 %', async ({page}) => {
	await using upstream = await startUpstream()
	await addExternal(page, 'with blank', upstream.port)
	await setExposed(page, true)
	const url = await routeOf(page)
	expect((await ask(url, await exportAuthority(page))).status).toBe(200)
	await openInstance(page, 'with blank')
	await tableRow(requests(page), /, 200/).click()
	await chartAction(page, 'Requests per 10 s', 'Show as a table')
	const perStep = region(page, 'Requests per 10 s, as a table')
	await thereAre(tableRow(perStep), 361)
	await thereAre(tableRow(perStep, /:\d0 1 0$/), 1)
	await isAccessible(page)
	for (const tab of ['Addresses', 'Settings']) {
		await page.getByRole('tab', {name: tab}).click()
		await isAccessible(page)
	}
	for (const name of ['Stop exposing…', 'Probe…']) {
		await push(page, name)
		await isShown(dialog(page))
		await isAccessible(page)
		await closeDialog(page)
	}
	await goToInstances(page)
	await pressIn(instances(page), 'j', 'Space')
	await says(aside(page, 'Instance at the cursor'), 'Last hour')
	await isAccessible(page)
	await press(page, 'Escape')

	// Half a small window: no sideways scrolling.
	await page.setViewportSize({width: 640, height: 400})
	const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
	await says(band(page), 'running')
	await isAccessible(page)
	expect(await fits()).toBe(true)
	await openInstance(page, 'with blank')
	expect(await fits()).toBe(true)
	await isAccessible(page)
})
