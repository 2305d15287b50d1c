/** A computer that is known by its name. */
import type {Page} from '@playwright/test'

import {button, option, palette, isFocused} from '../screens.ts'
import type {Hand} from './hand.ts'

export const host = 'FIN-LT-0231'

export async function openPalette(page: Page, hand: Hand) {
	await hand.click(button(page, /^Search computers, groups and commands/))
	await isFocused(palette(page))
}

export async function openByName(page: Page, hand: Hand) {
	await openPalette(page, hand)
	await hand.type('0231')
	await hand.click(option(page, new RegExp(`^${host}`)))
}
