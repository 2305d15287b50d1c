import {systemPreferences} from 'electron'

import type {AskPerson} from '#base/ports.ts'

/** Touch ID on a Mac that has it. Electron knows no such prompt elsewhere: there the secret store alone protects. */
export function desktopAskPerson(): AskPerson | undefined {
	if (process.platform !== 'darwin') return undefined
	return {
		available: async () => systemPreferences.canPromptTouchID(),
		ask: async why => {
			try {
				await systemPreferences.promptTouchID(why)
				return true
			} catch {
				return false
			}
		}
	}
}
