/** The overview in the words of an operator. */
import type {Locator, Page} from '@playwright/test'

import {expect} from './expect.ts'
import {heading, link, list, listIsRead, region, isShown} from './screens.ts'

/** A tenant of three pages. */
export const threePages = ['--computers', '1200', '--seed', 'e2e', '--agent-delay', '400']

export function attention(page: Page): Locator {
	return region(page, 'Needs attention')
}

export function tile(page: Page, title: string): Locator {
	return link(list(page, 'Numbers'), title)
}

export function picture(page: Page, title: string): Locator {
	return page.getByRole('figure').filter({has: heading(page, title, true)})
}

export function events(page: Page): Locator {
	return page.getByRole('slider', {name: 'Events by severity, step of time'})
}

export async function goToOverview(page: Page) {
	await link(page.getByRole('navigation', {name: 'Screens'}), 'Overview').click()
}

export async function openOverview(page: Page) {
	await listIsRead(page)
	await goToOverview(page)
	await isShown(tile(page, 'Computers'))
}

export async function eventsAreRead(page: Page) {
	await isShown(events(page))
	await expect(page.locator('[data-drawn="true"]').first()).toBeAttached()
}
