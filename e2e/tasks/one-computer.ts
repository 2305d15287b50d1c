/** A computer that is known by its name. */
import type {Page} from '@playwright/test'

import {button, option, palette} from '../screens.ts'
import type {Hand} from './hand.ts'
import {expect} from './task.ts'

export const host = 'FIN-LT-0231'

export async function openPalette(page: Page, hand: Hand) {
	await hand.click(button(page, /^Search computers, groups and commands/))
	await expect(palette(page)).toBeFocused()
}

export async function openByName(page: Page, hand: Hand) {
	await openPalette(page, hand)
	await hand.type('0231')
	await hand.click(option(page, new RegExp(`^${host}`)))
}
