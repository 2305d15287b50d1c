/** An incident log that somebody tampered with: a changed entry, a file that is none. */
import {readFile, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
// oxlint-disable-next-line cordon/imports -- an entry is changed behind the program's back, which no program does
import {DatabaseSync} from 'node:sqlite'

import {hasNoViolations} from './axe.ts'
import {onBrokenDisk} from './broken-disk.ts'
import {expect, hostAway, test} from './fixtures.ts'
import {chooseRansomware, typeNextSteps} from './handover.ts'
import {
	alert,
	button,
	group,
	incidentLog,
	link,
	listIsRead,
	main,
	option,
	press,
	region,
	tableRow,
	shows,
	isShown,
	isHidden,
	says,
	push
} from './screens.ts'

/** Like somebody who has the file: the triggers refuse it, so they go first. */
function tamper(profile: string) {
	const database = new DatabaseSync(join(profile, 'incidents.db'))
	database.exec(`DROP TRIGGER entry_no_update; UPDATE entry SET operator = 'somebody else' WHERE seq = 1`)
	database.close()
}

test('an entry that was changed behind its back breaks the chain, and the screen says where', async ({listed: page, app}) => {
	tamper(app.profile)
	await link(page, 'Incident log', true).click()
	const log = incidentLog(page)
	await isShown(tableRow(log).nth(1))
	await press(page, 'Shift+v')
	const broken = alert(page).filter({hasText: 'Hash chain broken at entry 1'})
	await says(broken, /it is not what was written. The 0 entries before it are as they were written/)
	await hasNoViolations(page)
	// The log itself can still be read.
	await push(page, /Kind$/)
	await option(page, 'note').click()
	await shows(page, 'No entry matches')
	await push(broken, 'Show all entries')
	await isShown(tableRow(log).nth(1))
})

test('an API limit that ends the load of the audit log is told with its reset', async ({listed: page, service}) => {
	await link(page, 'Incident log', true).click()
	await isShown(tableRow(incidentLog(page)).nth(1))
	await service.weather('GET /v1/audit_logs*=429:1800')
	await push(page, /^Load/)
	await shows(page, /The audit log was not loaded\. API limit reached\. Calls are available again at \d\d:\d\d:\d\d\./)
})

test('a write of next steps that failed is told again after a look at another incident, until it is in the log', async ({page, app}) => {
	await typeNextSteps(page, app)
	const [failed, write] = [alert(page).filter({hasText: 'cannot be written'}), button(page, 'Write to the log')]
	await onBrokenDisk(app.profile, 'incidents.db', 'INSERT ON entry', async () => {
		await write.click()
		await isShown(failed)
	})
	await chooseRansomware(page)
	await isHidden(failed)
	await page.goBack()
	await isShown(failed)
	await write.click()
	await shows(region(page, 'Notes'), 'Next steps: - call the ward')
	await isHidden(failed)
})

test.describe('a file that is no database', () => {
	test.use({setup: hostAway})

	test('a damaged log is reported on its screen and under stored data, and returns with its file', async ({listed: page, app}) => {
		await app.stop()
		const path = join(app.profile, 'incidents.db')
		const good = await readFile(path)
		for (const end of ['-wal', '-shm']) await rm(`${path}${end}`, {force: true})
		await writeFile(path, 'this is no database, and longer than the head of one would be '.repeat(40))
		await app.start()
		await page.goto(`${app.entry()}#/computers`)
		await listIsRead(page)
		await link(page, 'Settings', true).click()
		const stored = group(main(page), 'What is stored', true)
		await says(alert(stored), 'Could not check the folder')
		await hasNoViolations(page)
		await link(page, 'Incident log', true).click()
		await says(alert(main(page)), 'Could not load the log')
		await press(page, 'Shift+h')
		await says(alert(main(page)), 'Could not create the shift handover')
		await press(page, 'Escape')
		await writeFile(path, good)
		// Something else may have retried by then.
		const again = button(main(page), 'Try again')
		await expect(async () => {
			if (await again.isVisible()) await again.click({timeout: 1000})
			await expect(tableRow(incidentLog(page)).nth(1)).toBeVisible({timeout: 5000})
		}).toPass()
	})
})
