import {once} from 'node:events'
import {createServer} from 'node:http'
import {request} from 'node:https'
import {aside, button, dialog, field, grid, link, option, region, tableRow, title} from './roles.mjs'

/** An external service, a list of our own, and clients that call both. */
export async function showInstances({page, go, picture, wide}) {
	const service = createServer((incoming, answer) => answer.end(`served ${incoming.url}\n`.repeat(200)))
	service.listen(0, '127.0.0.1')
	await once(service, 'listening')
	await go('/instances')
	await addInstance(page, 'reports', async form => {
		await field(form, 'Port', true).fill(String(service.address().port))
	})
	await addInstance(page, 'blocked-addresses', async form => {
		await form.getByText('publishes a list for firewalls').click()
		const values = Array.from({length: 40}, (_, index) => `198.51.100.${index + 1}`)
		await field(form, 'Pasted values').fill(values.join('\n'))
		await button(form, /Access control/).click()
		await option(page, /^User and password/).click()
		await field(form, 'User', true).fill('firewall')
		await field(form, 'Password', true).fill('a long password')
	})
	const list = grid(page, 'Instances')
	const rows = tableRow(list, /, healthy/)
	await rows.nth(1).waitFor()
	const address = name => `${origin}/instance/execute/${name}`
	const origin = await region(page, 'Forwarding server')
		.getByText(/^https:/)
		.innerText()
	for (let round = 0; round < 12; round += 1) {
		await call(`${address('reports')}/${round % 3 === 0 ? 'weekly.html' : 'daily.html'}`)
		await call(address('blocked-addresses'), round === 4 ? 'firewall:wrong' : 'firewall:a long password')
	}
	await rows.filter({hasText: 'reports'}).click()
	await aside(page)
		.getByText(/Requests in the last hour: \d/)
		.waitFor()
	await picture('instances')
	await wide('instances-wide')
	await page.keyboard.press('Enter')
	await tableRow(grid(page, 'Requests'), /, 200/).first().click()
	await picture('instance')
	await wide('instance-wide')
	await button(page, 'Probe…').click()
	await page.locator('[aria-label="Result of the probe"][aria-busy="false"]').waitFor()
	await picture('instance-probe', ['light'])
	await page.keyboard.press('Escape')
	// It goes on, or the other screens would report a failed instance; it keeps nothing alive.
	service.unref()
}

async function addInstance(page, name, fill) {
	await button(page, 'Add instance…').first().click()
	const form = dialog(page)
	await field(form, 'Name').fill(name)
	await fill(form)
	await form.getByText('Expose it at the route at once').click()
	await button(form, 'Add instance', true).click()
	await title(page, name).waitFor()
	await link(page, 'Back to the instances').click()
}

/** Only for pictures: these clients need not trust the authority. */
async function call(url, auth) {
	const asked = request(url, {rejectUnauthorized: false, agent: false, ...(auth === undefined ? {} : {auth})})
	asked.end()
	const [answer] = await once(asked, 'response')
	answer.resume()
	await once(answer, 'end')
}
