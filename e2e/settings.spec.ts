import type {Page} from '@playwright/test'

import {hasNoViolations, isAccessible} from './axe.ts'
import {onBrokenDisk} from './broken-disk.ts'
import {usualSetup} from './fixtures.ts'
import {expect, test} from './house.ts'
import {
	alert,
	button,
	closeDialog,
	computers,
	decide,
	dialog,
	dialogIsGone,
	dialogSays,
	field,
	group,
	isOff,
	link,
	list,
	listIsRead,
	listItem,
	main,
	openComputer,
	openGuardRules,
	press,
	region,
	savedBy,
	tableRow,
	screenIs,
	shows,
	isShown,
	isHidden,
	isFocused,
	says,
	thereAre,
	push
} from './screens.ts'

// Keys are exchanged, local copies deleted, and an administrator holds a few things.
test.use({
	houseName: 'settings',
	houseSetup: {...usualSetup, managed: {settings: {keptEvents: 50_000, isolateReasons: ['Ordered by the SOC']}, guards: {largestJob: 200}}}
})

async function openSettings(page: Page) {
	await listIsRead(page)
	await press(page, 'Control+,')
	await screenIs(page, 'Settings')
}

function part(page: Page, name: string) {
	return group(main(page), name, true)
}

test('words and code have the faces that Cordon brings, under 350 KB, and are drawn once', async ({page}) => {
	await openSettings(page)
	const {faces, sent, numbers} = await page.evaluate(async () => {
		await document.fonts.ready
		const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
		return {
			faces: [...document.fonts].map(({family, display, status}) => ({family, display, status})),
			sent: resources.filter(({name}) => name.endsWith('.woff2')).map(({name, encodedBodySize}) => ({name, encodedBodySize})),
			numbers: getComputedStyle(document.body).fontVariantNumeric
		}
	})
	expect(new Set(faces.map(({display}) => display))).toEqual(new Set(['block']))
	expect(faces.filter(({status}) => status === 'loaded').map(({family}) => family)).toContain('Inter Variable')
	expect(sent.filter(({name}) => new URL(name).origin !== new URL(page.url()).origin)).toEqual([])
	const bytes = sent.reduce((sum, {encodedBodySize}) => sum + encodedBodySize, 0)
	expect(bytes).toBeGreaterThan(40_000)
	expect(bytes).toBeLessThan(350_000)
	expect(numbers).toBe('tabular-nums')
})

test('settings apply at once and survive a reload', async ({page}) => {
	await openSettings(page)
	await expect(link(page, 'Settings', true)).toHaveAttribute('aria-current', 'page')
	const root = page.locator('html')
	await part(page, 'Theme').getByText('High contrast', {exact: true}).click()
	await expect(root).toHaveAttribute('data-theme', 'contrast')
	await part(page, 'State colours').getByText('tritanopia').click()
	await expect(root).toHaveAttribute('data-palette', 'tritanopia')
	await part(page, 'Density').getByText('Comfortable').click()
	await part(page, 'Text size').getByText('Largest').click()
	await part(page, 'Time zone').getByText('UTC').click()
	await says(part(page, 'Time zone'), /For example .* UTC/)
	await hasNoViolations(page)
	await page.reload()
	await expect(root).toHaveAttribute('data-size', 'largest')
	await press(page, 'g', 'c')
	await listIsRead(page)
	const rows = tableRow(computers(page))
	const [one, two] = [await rows.nth(2).boundingBox(), await rows.nth(3).boundingBox()]
	expect((two?.y ?? 0) - (one?.y ?? 0)).toBe(42)

	// The house is left as it was found.
	await page.goBack()
	for (const [name, value] of [
		['Theme', 'Follow the system'],
		['State colours', 'Default'],
		['Density', 'Normal'],
		['Text size', 'Normal'],
		['Time zone', 'Local time']
	] as const)
		await part(page, name).getByText(value, {exact: true}).click()
	await expect(root).not.toHaveAttribute('data-size')
	await expect(root).not.toHaveAttribute('data-theme')
})

test('a setting that cannot be saved reverts and says why', async ({page, app}) => {
	await openSettings(page)
	await onBrokenDisk(app.profile, 'profile.db', "INSERT ON setting WHEN new.name = 'density' AND new.value LIKE '%roomy%'", async () => {
		await part(page, 'Density').getByText('Comfortable').click()
		const banner = alert(page).filter({hasText: 'The setting was not changed: '})
		await says(banner, 'the disk is broken')
		await expect(part(page, 'Density').getByRole('radio', {name: 'Normal'})).toBeChecked()
		await push(banner, 'Dismiss')
		await isHidden(banner)
	})
})

test('settings are found by common names, by keyboard, and managed ones say so', async ({page}) => {
	await openSettings(page)
	await press(page, '/')
	await page.keyboard.type('retention')
	await says(part(page, 'Events that are kept'), 'Set by your administrator')
	await thereAre(part(page, 'Theme'), 0)
	await expect(page).toHaveURL(/find=retention/)
	await press(page, 'Control+a')
	await page.keyboard.type('no such thing')
	await shows(page, 'No setting matches')
	await hasNoViolations(page)
	await push(page, 'Show all settings')
	await isShown(part(page, 'Theme'))
	await push(page.getByRole('navigation', {name: 'Parts of the settings'}), 'About')
	await isFocused(page.getByRole('heading', {name: 'About', level: 2}))

	await openGuardRules(page)
	const largest = field(dialog(page), 'Targets per job')
	await expect(largest).toHaveAttribute('readonly')
	await expect(largest).toHaveAccessibleDescription('Set by your administrator')
	await expect(largest).toHaveCSS('border-style', 'dashed')
	await expect(field(dialog(page), 'Isolations at once')).toBeEditable()
	await press(page, 'Escape')

	await link(page, /^Computers/).click()
	await openComputer(page, 'FIN-LT-0231')
	await press(page, 'i')
	await isShown(button(dialog(page), 'Ordered by the SOC'))
	await isOff(button(dialog(page), 'Edit these…'))
	await press(page, 'Escape')
})

test('a shortcut is changed, never to one in use, and reset', async ({page}) => {
	await openSettings(page)
	const map = part(page, 'Keyboard shortcuts')
	await push(map, 'Go to', true)
	const change = button(map, 'Change shortcut: Events')
	await change.click()
	await dialogSays(page, 'Press the new shortcut')
	await press(page, '?')
	await dialogSays(page, 'It belongs to “Keyboard shortcuts of this screen” already.')
	await press(page, 'F5')
	await dialogSays(page, 'takes this key before any page')
	await press(page, 'Alt+e')
	await decide(page, 'Use this shortcut')
	await dialogIsGone(page)
	await press(page, 'Alt+e')
	await screenIs(page, 'Events')
	await press(page, '?')
	await says(region(dialog(page), 'Go to'), 'Alt')
	await closeDialog(page)
	await press(page, 'g', 's')
	await push(page, /^Reset shortcuts/)
	await thereAre(button(page, /^Reset shortcuts/), 0)
})

test('local data is listed with its size and deleted after its name is typed', async ({page, app}) => {
	await openSettings(page)
	const stored = part(page, 'What is stored')
	await isShown(tableRow(stored, /^Computers and groups 300 /))
	await says(stored, 'Incident log: never deleted from here')
	await push(stored, 'Delete copies of Test tenant')
	const wipe = page.getByRole('alertdialog')
	await isFocused(button(wipe, 'Cancel'))
	const confirm = button(wipe, 'Delete them')
	await wipe.getByText(/^Computers and groups/).click()
	await wipe.getByText(/^Trajectories/).click()
	await isOff(confirm)
	await hasNoViolations(page)
	await field(wipe).fill('Test tenant')
	await confirm.click()
	await isHidden(wipe)
	// It is read again, because the connection is in use.
	await says(page.getByRole('contentinfo'), /Updated .* ago/)
	const log = await app.cli('log', '--json')
	expect(log.stdout).toContain('Local data of Test tenant are deleted: computers, trajectories.')
})

test('diagnostics are shown before they are saved, and hold no key and no address', async ({page, service}) => {
	await openSettings(page)
	await push(page, 'Generate report')
	const preview = region(page, 'Diagnostics as they would be saved')
	await says(preview, '"version"')
	const text = (await preview.textContent()) ?? ''
	for (const secret of [service.apiKey, service.clientId, 'Test tenant', new URL(service.url).host]) expect(text).not.toContain(secret)
	await hasNoViolations(page)
	const file = await savedBy(button(page, 'Save what is shown'))
	expect(file.name).toMatch(/^cordon-diagnostics-.*\.txt$/)
	expect(file.text).toBe(text)
})

test('connections are exported with their keys in an encrypted file, and a wrong passphrase loses nothing', async ({page, service}) => {
	await openSettings(page)
	await push(page, 'Export with keys…')
	const sealing = dialog(page, 'Export connections with their keys')
	await sealing.getByLabel('Passphrase of the file').fill('correct horse battery')
	await sealing.getByLabel('Repeat passphrase').fill('correct horse')
	const send = button(sealing, 'Export the keys, and log it')
	await send.click()
	await says(sealing, 'The two are not the same.')
	await says(sealing, 'Say why')
	await hasNoViolations(page)
	await sealing.getByLabel('Repeat passphrase').fill('correct horse battery')
	await sealing.getByLabel('Reason').fill('a new laptop')
	const {text} = await savedBy(send)
	for (const secret of [service.apiKey, service.clientId, 'Test tenant']) expect(text).not.toContain(secret)

	await push(page, 'Import connections…')
	const importing = dialog(page, 'Import connections')
	const buffer = Buffer.from(text)
	await importing.locator('input[type=file]').setInputFiles({name: 'sealed.json', mimeType: 'application/json', buffer})
	await importing.getByLabel('Passphrase of the file').fill('not the passphrase')
	await push(importing, 'Import with keys')
	await says(alert(importing), 'does not open this file')
	await importing.getByLabel('Passphrase of the file').fill('correct horse battery')
	await push(importing, 'Import with keys')
	await says(list(importing, 'Imported connections'), 'Test tenant is there already')
})

test('connections are exported without their keys and imported with a typed key', async ({page, service}) => {
	await openSettings(page)
	const {text} = await savedBy(button(page, 'Export connections'))
	expect(text).toContain(service.clientId)
	expect(text).not.toContain(service.apiKey)

	await push(page, 'Import connections…')
	const importing = dialog(page, 'Import connections')
	const file = (name: string, content: string) => ({name, mimeType: 'application/json', buffer: Buffer.from(content)})
	const picker = importing.locator('input[type=file]')
	await picker.setInputFiles(file('x.json', '{"format":"other"}'))
	await says(alert(importing), 'This is not a file of connections')
	await picker.setInputFiles(file('y.json', text))
	await says(importing, 'is there already: the same name')
	await picker.setInputFiles(file('w.json', text.replace('Test tenant', 'Again')))
	await says(importing, 'is there already: the same service and account')
	await picker.setInputFiles(file('z.json', text.replace('Test tenant', 'Second tenant').replace(service.clientId, 'other')))
	await importing.getByLabel('API key').fill(service.apiKey)
	await hasNoViolations(page)
	await push(importing, 'Add Second tenant')
	await says(importing, 'added, read-only')
	// What had the focus is gone.
	await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true})))
	await isHidden(importing)
	await says(listItem(page, 'Second tenant'), 'read-only')
	await push(page, 'Remove Second tenant')
	await push(page.getByRole('alertdialog'), /^Remove/)
	await thereAre(listItem(page, 'Second tenant'), 0)
})

test('the list of notifications opens by keyboard and links to its settings', async ({listed: page}) => {
	await press(page, 'Control+Shift+y')
	await hasNoViolations(page)
	// The tenant has a computer that is isolated and offline: it may have been told by now.
	const clear = button(dialog(page), 'Clear the list')
	await expect(async () => {
		if ((await clear.getAttribute('aria-disabled')) === null) await clear.click()
		await expect(dialog(page)).toContainText('No notifications', {timeout: 500})
	}).toPass()
	await hasNoViolations(page)
	await decide(page, 'Notification settings')
	await part(page, 'Quiet hours').getByText('Mute notifications at set hours each day').click()
	await part(page, 'Quiet hours').getByLabel('From').fill('25:00')
	await says(part(page, 'Quiet hours'), 'Such as 07:30.')
	await part(page, 'Quiet hours').getByLabel('From').fill('21:30')
	await page.reload()
	await expect(part(page, 'Quiet hours').getByLabel('From')).toHaveValue('21:30')
	await part(page, 'Quiet hours').getByText('Mute notifications at set hours each day').click()
	await thereAre(part(page, 'Quiet hours').getByLabel('From'), 0)
})

test.describe('at 200 % zoom', () => {
	// Half as many CSS pixels as the window has.
	test.use({viewport: {width: 640, height: 400}})

	test('settings, command line and log lose nothing', async ({page, app}) => {
		for (const [path, heading] of [
			['settings', 'Settings'],
			['command-line', 'Command line'],
			['log', 'Incident log']
		] as const) {
			await page.goto(`http://127.0.0.1:${app.port()}/#/${path}`)
			await screenIs(page, heading)
			await isAccessible(page)
			const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
			expect(overflow).toBeLessThanOrEqual(0)
		}
	})
})
