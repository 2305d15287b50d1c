import type {Route} from '@playwright/test'

import {expect, test} from './house.ts'
import {link, isShown} from './screens.ts'

test.describe('the page', () => {
	test.use({expected: [/Content Security Policy|TrustedHTML|TrustedScript|Trusted Type|LOCAL_NETWORK_ACCESS_CHECKS/i]})

	test('has a strict policy, and refuses inline script, eval and HTML from text', async ({listed: page, app}) => {
		const answer = await page.request.get(`http://127.0.0.1:${app.port()}/`)
		const policy = answer.headers()['content-security-policy'] ?? ''
		expect(policy).toContain("default-src 'none'")
		expect(policy).toContain("script-src 'self'")
		expect(policy).toContain("require-trusted-types-for 'script'")
		expect(policy).toContain("frame-ancestors 'none'")
		expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/)

		// What an injection would try. Playwright's own scripts are not subject to the policy: the elements are.
		const ran = await page.evaluate(async () => {
			const attempts: Record<string, string> = {}
			const attempt = (what: string, act: () => void) => {
				try {
					act()
					attempts[what] = 'allowed'
				} catch {
					attempts[what] = 'refused'
				}
			}
			attempt('innerHTML', () => void Reflect.set(document.createElement('div'), 'innerHTML', '<b>text</b>'))
			attempt('script text', () => void (document.createElement('script').textContent = 'window.injected = 1'))
			attempt('script source', () => void (document.createElement('script').src = 'https://evil.example/x.js'))
			attempt('policy', () => {
				const {trustedTypes} = window as unknown as {trustedTypes: {createPolicy(name: string, rules: object): unknown}} // not in lib.dom yet
				trustedTypes.createPolicy('mine', {createHTML: (text: string) => text})
			})
			const button = document.createElement('button')
			button.setAttribute('formaction', 'https://evil.example/')
			document.body.append(button)
			button.remove()
			const image = await new Promise(resolve => {
				const probe = new Image()
				probe.addEventListener('load', () => resolve('loaded'))
				probe.addEventListener('error', () => resolve('refused'))
				probe.src = 'http://127.0.0.1:9/pixel.png'
			})
			const sent = await fetch('http://127.0.0.1:9/').then(
				() => 'sent',
				() => 'refused'
			)
			return {...attempts, image, sent, injected: 'injected' in window}
		})
		expect(ran).toEqual({
			innerHTML: 'refused',
			'script text': 'refused',
			'script source': 'refused',
			policy: 'refused',
			image: 'refused',
			sent: 'refused',
			injected: false
		})
	})

	test('does not run an inline script or a handler that got into the document', async ({page, app, context}) => {
		const inject = async (route: Route) => {
			const answer = await route.fetch()
			const body = (await answer.text()).replace(
				'</body>',
				'<script>window.injected = true</script><img src="x" onerror="window.injected = true"></body>'
			)
			await route.fulfill({response: answer, body})
		}
		// Without a wire the page asks the same address why.
		await context.route(`http://127.0.0.1:${app.port()}/`, inject, {times: 1})
		await page.reload()
		// To Chromium this document came from nowhere, so it gets no wire; the frame is there anyway.
		await isShown(page.getByRole('navigation', {name: 'Screens'}))
		expect(await page.evaluate(() => 'injected' in window)).toBe(false)
	})
})

test('every answer carries the common headers', async ({page, app}) => {
	const answer = await page.request.get(`http://127.0.0.1:${app.port()}/`)
	expect(answer.headers()).toMatchObject({
		'x-content-type-options': 'nosniff',
		'x-frame-options': 'DENY',
		'referrer-policy': 'no-referrer',
		'cross-origin-opener-policy': 'same-origin'
	})
})

test('a name full of markup is text', async ({listed: page, app}) => {
	const title = '<img src=x onerror=alert(1)>'
	const noted = await app.cli('log', 'note', title)
	expect(noted.code, noted.stderr).toBe(0)
	await link(page, 'Incident log', true).click()
	await isShown(page.getByRole('gridcell', {name: title}))
})
