import {aside, button, grid, group, heading, link, region, searchBox, tableRow} from './roles.mjs'

export async function showOverview({page, go, picture, wide}) {
	await go('/overview')
	await link(page.getByRole('list', {name: 'Numbers'}), 'Computers').waitFor()
	await page.locator('[data-drawn="true"]').first().waitFor({state: 'attached', timeout: 60_000})
	await picture('overview')
	await wide('overview-wide')
	await page.getByRole('main').evaluate(main => {
		for (const element of [main, ...main.querySelectorAll('*')]) element.scrollTop = element.scrollHeight
	})
	await wide('overview-end-wide')
}

export async function showEvents({page, go, picture, look, wide}) {
	await go('/events')
	const list = grid(page, 'Events')
	await page.getByRole('slider', {name: 'Events by severity, step of time'}).waitFor()
	await look('events-all')
	await searchBox(page, 'Filter the events').fill('severity>=high')
	await tableRow(list, /severity (?:high|critical)/)
		.first()
		.click()
	await aside(page, 'Event at the cursor').waitFor()
	await picture('events')
	await wide('events-wide')
	await page.keyboard.press('Escape')
	await searchBox(page, 'Filter the events').fill('host:nobody-has-this')
	await button(page, /^Show all/).waitFor()
	await look('events-none', ['light'])
}

export async function showDetections({page, go, picture, wide}) {
	await go('/events')
	await link(grid(page, 'Events')).first().waitFor()
	await go('/detections')
	await tableRow(grid(page, 'Detections')).nth(1).click()
	await heading(aside(page, 'Detection group at the cursor'), 'Events').waitFor()
	await picture('detections')
	await wide('detections-wide')
}

export async function showSearch({page, go, picture, look, wide}) {
	await go('/search')
	const box = searchBox(page, 'Search everything')
	await box.waitFor()
	await look('search-before')
	await box.fill('FIN-LT-02')
	await region(page, 'Computers', true).waitFor()
	await look('search-local')
	await box.fill('updchk.exe')
	await button(group(page, /^Which computers have seen/), /^Query/).click()
	await grid(page, 'Matching computers').waitFor()
	await button(page, 'Stop', true).waitFor({state: 'hidden'})
	await picture('search')
	await wide('search-wide')
	await box.fill('nobody.has.this.example')
	await page.getByText('No local results').waitFor()
	await look('search-none', ['light'])
}
