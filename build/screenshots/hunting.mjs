export async function showOverview({page, go, picture, wide}) {
	await go('/overview')
	await page.getByRole('list', {name: 'Numbers'}).getByRole('link', {name: 'Computers'}).waitFor()
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
	const list = page.getByRole('grid', {name: 'Events'})
	await page.getByRole('slider', {name: 'Events by severity, step of time'}).waitFor()
	await look('events-all')
	await page.getByRole('searchbox', {name: 'Filter the events'}).fill('severity>=high')
	await list
		.getByRole('row', {name: /severity (?:high|critical)/})
		.first()
		.click()
	await page.getByRole('complementary', {name: 'Event at the cursor'}).waitFor()
	await picture('events')
	await wide('events-wide')
	await page.keyboard.press('Escape')
	await page.getByRole('searchbox', {name: 'Filter the events'}).fill('host:nobody-has-this')
	await page.getByRole('button', {name: /^Show all/}).waitFor()
	await look('events-none', ['light'])
}

export async function showDetections({page, go, picture, wide}) {
	await go('/events')
	await page.getByRole('grid', {name: 'Events'}).getByRole('link').first().waitFor()
	await go('/detections')
	await page.getByRole('grid', {name: 'Detections'}).getByRole('row').nth(1).click()
	await page.getByRole('complementary', {name: 'Detection group at the cursor'}).getByRole('heading', {name: 'Events'}).waitFor()
	await picture('detections')
	await wide('detections-wide')
}

export async function showSearch({page, go, picture, look, wide}) {
	await go('/search')
	const box = page.getByRole('searchbox', {name: 'Search everything'})
	await box.waitFor()
	await look('search-before')
	await box.fill('FIN-LT-02')
	await page.getByRole('region', {name: 'Computers', exact: true}).waitFor()
	await look('search-local')
	await box.fill('updchk.exe')
	await page
		.getByRole('group', {name: /^Which computers have seen/})
		.getByRole('button', {name: /^Query/})
		.click()
	await page.getByRole('grid', {name: 'Matching computers'}).waitFor()
	await page.getByRole('button', {name: 'Stop', exact: true}).waitFor({state: 'hidden'})
	await picture('search')
	await wide('search-wide')
	await box.fill('nobody.has.this.example')
	await page.getByText('No local results').waitFor()
	await look('search-none', ['light'])
}
