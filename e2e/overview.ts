/** The overview in the words of an operator. */
import {expect, type Locator, type Page} from '@playwright/test'

import {listIsRead} from './screens.ts'

/** A tenant of three pages. */
export const threePages = ['--computers', '1200', '--seed', 'e2e', '--agent-delay', '400']

export function attention(page: Page): Locator {
	return page.getByRole('region', {name: 'Needs attention'})
}

export function tile(page: Page, title: string): Locator {
	return page.getByRole('list', {name: 'Numbers'}).getByRole('link', {name: title})
}

export function picture(page: Page, title: string): Locator {
	return page.getByRole('figure').filter({has: page.getByRole('heading', {name: title, exact: true})})
}

export function events(page: Page): Locator {
	return page.getByRole('slider', {name: 'Events by severity, step of time'})
}

export async function goToOverview(page: Page): Promise<void> {
	await page.getByRole('navigation', {name: 'Screens'}).getByRole('link', {name: 'Overview'}).click()
}

export async function openOverview(page: Page): Promise<void> {
	await listIsRead(page)
	await goToOverview(page)
	await expect(tile(page, 'Computers')).toBeVisible()
}

export async function eventsAreRead(page: Page): Promise<void> {
	await expect(events(page)).toBeVisible()
	await expect(page.locator('[data-drawn="true"]').first()).toBeAttached()
}
