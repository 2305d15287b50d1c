/**
 * Playwright's `expect`, which first waits for the element to come or to go. By itself Playwright writes the page down as text
 * at each look in vain, six times in the first third of a second: a tenth of what pages compute.
 */
import {expect as base, type Locator} from '@playwright/test'

const states: Readonly<Record<PropertyKey, 'visible' | 'hidden' | 'attached'>> = {
	...{toBeVisible: 'visible', toBeHidden: 'hidden'},
	...{toContainText: 'attached', toHaveText: 'attached', toHaveAccessibleName: 'attached', toHaveAttribute: 'attached'}
}
/** Also of matchers of anything else. Long enough for a machine that has other work. */
export const patienceMs = 60_000

export const expect: typeof base = new Proxy(base, {
	apply(plain, _self, [subject, ...more]: [unknown]) {
		const matchers = plain(subject, ...more)
		if (!isLocator(subject)) return matchers
		return new Proxy(matchers, {
			get(of, name) {
				const matcher: unknown = Reflect.get(of, name)
				const state = states[name]
				if (typeof matcher !== 'function' || state === undefined) return matcher
				return async (...words: unknown[]) => {
					const {timeout = patienceMs, ...options} = isOptions(words.at(-1)) ? Object(words.pop()) : {}
					if (options.visible === false) return await matcher(...words, {...options, timeout})
					const end = Date.now() + timeout
					const isThere = await subject.waitFor({state, timeout}).then(
						() => true,
						() => false
					)
					// Where it is not, the matcher says what is there instead.
					if (!isThere || state === 'attached') await matcher(...words, {...options, timeout: Math.max(1, end - Date.now())})
				}
			}
		})
	}
})

function isLocator(subject: unknown): subject is Locator {
	return typeof subject === 'object' && subject !== null && 'waitFor' in subject
}

function isOptions(word: unknown): word is {timeout?: number} {
	return Object.getPrototypeOf(Object(word)) === Object.prototype
}
