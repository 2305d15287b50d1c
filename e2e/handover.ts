/** The shift handover in the words of an operator. */
import type {Page} from '@playwright/test'

import type {Console} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {button, field, listIsRead, option} from './screens.ts'

/** Opens an incident, and types next steps under "All incidents". Returns their field. */
export async function typeNextSteps(page: Page, app: Console) {
	await app.cli('incidents', 'open', 'Ransomware')
	await listIsRead(page)
	await goTo(page, '/log/handover')
	const steps = field(page, 'Next steps')
	await steps.fill('- call the ward')
	return steps
}

export async function chooseRansomware(page: Page) {
	await button(page, /^All incidents/).click()
	await option(page, /^Ransomware/).click()
}
