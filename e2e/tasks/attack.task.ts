/** From a detection back to the file from outside that began the attack. */
import type {Page} from '@playwright/test'

import {aside, button, listIsRead, tab, screenIs, isShown, says} from '../screens.ts'
import {host, openByName} from './one-computer.ts'
import {expect, task} from './task.ts'

const lanes = (page: Page) => page.getByRole('application', {name: 'Trajectory of'})

task.describe(() => {
	task.use({limits: {'find the origin': {clicks: 3, keys: 0}}})

	task('5 find the origin of an attack', async ({page, hand, service}) => {
		await listIsRead(page)
		await openByName(page, hand)
		await screenIs(page, host)
		hand.leg('open the computer')

		await hand.click(tab(page, 'Trajectory'))
		await hand.click(button(page, /^(Load|Refresh) .*1 call$/))
		await isShown(lanes(page))
		await hand.click(button(page, 'Show origin'))
		const inspector = aside(page, 'Event at the cursor')
		await says(inspector, 'Invoice_2291.docm')
		hand.leg('find the origin')
		const guid = /computers\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? 'none'
		expect((await service.requests())[`GET /v1/computers/${guid}/trajectory`]).toBe(1)
	})
})
