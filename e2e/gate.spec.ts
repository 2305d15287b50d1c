import {writeFileSync} from 'node:fs'
import {pathToFileURL} from 'node:url'

import {test as alone, usualSetup} from './fixtures.ts'
import {expect, test} from './house.ts'
import {heading, main, tableRow, isShown, reads, addressIs, push} from './screens.ts'

// The browser's messages about refused requests and foreign pages.
const expected = [/Failed to load resource|WebSocket connection to .* failed|blocked by CORS policy|Content Security Policy|Trusted/i]
test.use({expected})
alone.use({setup: {...usualSetup, expected}})

const stranger = {storageState: {cookies: [], origins: []}}

test('a browser without the entry link reads what to do', async ({app, browser}) => {
	const context = await browser.newContext(stranger)
	const page = await context.newPage()
	const answer = await page.goto(`http://127.0.0.1:${app.port()}/`)
	expect(answer?.status()).toBe(403)
	await reads(heading(page), 'This browser has not entered')
	await context.close()
})

alone('the entry link works once, and the browser stays in over a restart of the console', async ({page, app, browser}) => {
	await addressIs(page, new RegExp(`^http://127.0.0.1:${app.port()}/(?!enter)`))
	const context = await browser.newContext()
	const second = await context.newPage()
	expect((await second.goto(app.entry()))?.status()).toBe(403)
	await context.close()
	await page.goto('about:blank')
	await app.restart()
	expect((await page.goto(`http://127.0.0.1:${app.port()}/`))?.status()).toBe(200)
})

alone('a browser that opens the file in the profile enters, is listed in the settings, and can be signed out', async ({page, app, browser}) => {
	await page.goto('about:blank')
	// Makes a new link; this browser stays signed in, so nobody uses it.
	await app.restart()
	const context = await browser.newContext({userAgent: 'A browser of somebody'})
	const second = await context.newPage()
	const file = test.info().outputPath('enter.html')
	writeFileSync(file, `<meta http-equiv="refresh" content="0;url=${app.entry()}">`)
	await second.goto(pathToFileURL(file).href)
	await addressIs(second, new RegExp(`^http://127.0.0.1:${app.port()}/(?!enter)`))
	await isShown(main(second))
	await page.goto(`http://127.0.0.1:${app.port()}/#/settings?section=secrets`)
	const row = tableRow(page, /A browser of somebody/)
	await push(row, 'End session')
	await expect(row).toHaveCount(0)
	expect((await second.goto(`http://127.0.0.1:${app.port()}/`))?.status()).toBe(403)
	expect((await page.reload())?.status()).toBe(200)
	await context.close()
})

test('a browser without the link enters with the code from the terminal', async ({app, browser}) => {
	const context = await browser.newContext(stranger)
	const page = await context.newPage()
	await page.goto(`http://127.0.0.1:${app.port()}/enter`)
	await page.getByLabel('Code').fill('XXXX-XXXX')
	await push(page, 'Enter')
	await reads(heading(page), 'That is not the code, or it is too old')
	await context.close()
})

test('another page on this machine gets neither the page nor the wire', async ({page, app, service}) => {
	// The service's own origin is another port of this machine: the same site, but not our page.
	await page.goto(`${service.url}/`)
	const outcome = await page.evaluate(async port => {
		const wire = new WebSocket(`ws://127.0.0.1:${port}/wire`)
		const opened = await new Promise(resolve => {
			wire.addEventListener('open', () => resolve(true))
			wire.addEventListener('error', () => resolve(false))
		})
		const read = await fetch(`http://127.0.0.1:${port}/`, {credentials: 'include'}).then(
			() => true,
			() => false
		)
		return {opened, read}
	}, app.port())
	expect(outcome).toEqual({opened: false, read: false})
})

test('the page runs no code but its own, and makes no HTML out of text', async ({page}) => {
	const outcome = await page.evaluate(async () => {
		// The debugger may compile code during its own call; the page itself may not.
		await new Promise(resolve => setTimeout(resolve))
		const attempt = (work: () => unknown) => {
			try {
				work()
				return 'done'
			} catch (error) {
				return error instanceof Error ? error.name : 'thrown'
			}
		}
		const script = document.createElement('script')
		return {
			// oxlint-disable-next-line no-new-func -- this is the attempt that must fail
			compiled: attempt(() => new Function('return 1')()),
			// oxlint-disable-next-line cordon/privilege -- and so is this
			html: attempt(() => (document.body.innerHTML = '<img src=x onerror=alert(1)>')),
			scriptText: attempt(() => (script.text = 'window.intruder = true')),
			policy: attempt(() => Reflect.get(window, 'trustedTypes').createPolicy('own', {}))
		}
	})
	expect(outcome).toEqual({compiled: 'EvalError', html: 'TypeError', scriptText: 'TypeError', policy: 'TypeError'})
})

test('an inline style and a foreign image do not load', async ({page}) => {
	const violations = await page.evaluate(async () => {
		const seen: string[] = []
		document.addEventListener('securitypolicyviolation', event => seen.push(event.effectiveDirective))
		const style = document.createElement('style')
		style.textContent = 'body { background: red }'
		document.head.append(style)
		const image = new Image()
		const settled = new Promise(resolve => image.addEventListener('error', resolve))
		image.src = 'https://127.0.0.1:1/pixel.png'
		await settled
		return seen
	})
	expect(violations.toSorted()).toEqual(['img-src', 'style-src-elem'])
})
