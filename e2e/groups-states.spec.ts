import {expect, test, usualSetup, weather} from './fixtures.ts'
import {goToOverview, tile} from './overview.ts'
import {
	alert,
	aside,
	button,
	grid,
	heading,
	isOff,
	link,
	main,
	press,
	region,
	searchBox,
	status,
	tableRow,
	treeGrid,
	shows,
	pressIn,
	isShown,
	isHidden,
	says,
	thereAre,
	push
} from './screens.ts'

test.describe('a service that fails from the start', () => {
	test.use({setup: weather('GET /v1/groups*=500', 'GET /v1/policies*=500', 'GET /v1/file_lists*=500', 'GET /v1/computers*=500')})

	test('shows the failure in place of rows and numbers, and "Try again" loads them', async ({page, service}) => {
		await goToOverview(page)
		await isShown(alert(page).filter({hasText: 'Could not load the computers'}))
		await thereAre(page.getByText('Nothing needs attention'), 0)
		await link(page, 'Groups', true).click()
		const failure = alert(page).filter({hasText: 'Could not load the groups'})
		await says(failure, /status 500/)
		await link(page, 'Policies', true).click()
		const second = alert(page).filter({hasText: 'Could not load the policies'})
		await says(second, /status 500/)
		// A list that failed to load is not empty, and is reported once.
		await press(page, '3')
		await isShown(grid(page, 'Policies and file lists'))
		await says(main(page), 'not loaded yet')
		await expect(main(page)).not.toContainText(/No list|0 policies|uses the list/)
		await press(page, '1')
		await service.weather()
		await push(second, 'Try again')
		await isShown(tableRow(grid(page, 'Policies'), /^Server, for Windows/))
		await link(page, 'Groups', true).click()
		await isShown(tableRow(treeGrid(page), /^Corporate,/))
		await goToOverview(page)
		await button(main(page), 'Try again').last().click()
		await expect(tile(page, 'Computers')).toHaveText(/^300/)
	})
})

test.describe('a service with slow details and a small API limit', () => {
	test.use({setup: {...usualSetup, service: [...usualSetup.service, '--quota', '180', '--weather', 'GET /v1/groups?*=latency:1500']}})

	test('shows skeleton rows, then the tree without details, and the cost of loading them', async ({page}) => {
		await link(page, 'Groups', true).click()
		const tree = treeGrid(page, 'Groups')
		await thereAre(page.getByText('No groups'), 0)
		await isShown(tableRow(tree, /^Corporate,.*details not loaded/))
		await shows(page, 'details 0/44 loaded')
		await isShown(button(page, /^Load all details · about \d+ calls/))
		await tableRow(tree, /^Legal,/).click()
		const panel = aside(page, 'Group at the cursor')
		await says(panel, 'Its details have not been loaded yet.')
		await button(panel, 'Load · 1 call').first().click()
		await says(region(panel, 'Policies'), /WindowsProtect ◌ inherited/)
		await says(region(panel, 'File lists that apply here'), /have not been loaded yet/)
		await shows(page, 'details 1/44 loaded')
		await press(page, 'g', 'p')
		await push(page, 'With groups')
		const matrix = grid(page, 'Groups and their policies')
		await isShown(tableRow(matrix, 'Finance, details not loaded'))
		await shows(page, /43 groups are not loaded: 43 calls/)
	})
})

test('offline, deleted elsewhere, no API calls left: the local data stays, and each says what it is', async ({listed: page, service}) => {
	await press(page, 'g', 'g')
	const tree = treeGrid(page, 'Groups')
	await shows(main(page), 'all details loaded')
	const banner = status(page).filter({hasText: 'You see local data'})
	await service.weather('GET /v1/groups?*=latency:60000')
	await push(page, /^Refresh/)
	await says(main(page), '44 groups · loading')
	await service.weather('GET /v1/groups?*=reset')
	await push(page, /^Refresh/)
	await isShown(banner)
	await isShown(tableRow(tree, /^Legal,/))
	// Before the service is back: a reading of its own would take the button away.
	await push(banner, 'Try again · about 4 calls')
	await service.weather()
	await isHidden(banner)
	// The reading that was under way is followed by the one asked for, whose listing has each group again.
	await expect(main(page)).not.toContainText('44 groups · loading')

	await tableRow(tree, /^Legal,/).click()
	const group = aside(page, 'Group at the cursor')
	// The address may still be that of another group.
	await isShown(heading(group, 'Legal'))
	await service.weather('GET /v1/groups/*=status:404')
	await button(group, /^Refresh · 1 call/)
		.first()
		.click()
	await shows(group, /The service no longer lists this group since/)
	await isOff(button(group, /Assign policies…/))
	await isShown(tableRow(tree, /^Legal,.*gone/))

	await press(page, 'g', 'p')
	const policies = grid(page, 'Policies', true)
	await tableRow(policies, /^Triage, for Windows/).click()
	const policy = aside(page, 'Policy at the cursor')
	await service.weather('GET /v1/policies/*=status:404')
	await push(policy, /^Refresh · 1 call/)
	await shows(policy, /The service no longer lists this policy since/)

	await service.weather('GET /v1/policies?*=429:1800')
	await push(page, /^Refresh · about/)
	await says(banner, /Calls are available again at \d\d:\d\d/)
	await isShown(tableRow(policies, /^Server, for Windows/))
})

test.describe('a tenant of 2,000 groups', () => {
	test.use({setup: {...usualSetup, service: ['--computers', '600', '--groups', '2000', '--seed', 'e2e']}})

	test('draws only the visible part, folded at first, and shows the cost of its details without paying it', async ({listed: page, service}) => {
		await press(page, 'g', 'g')
		const tree = treeGrid(page, 'Groups')
		await shows(page, 'details 0/2,000 loaded')
		await isShown(button(page, /^Load all details · about 2,0\d\d calls/))
		await push(page, 'Expand all')
		await expect(tree).toHaveAttribute('aria-rowcount', '2001')
		await pressIn(tree, 'End')
		const last = tree.locator('[aria-rowindex="2001"]')
		await isShown(last)
		await expect(tree).toHaveAttribute('aria-activedescendant', (await last.getAttribute('id')) ?? '')
		expect(await tableRow(tree).count()).toBeLessThan(80)
		const search = searchBox(page, 'Search the groups')
		await search.fill('site 117 room 3')
		await shows(page, '1 of 2,000 groups')
		const asked = Object.keys(await service.requests()).filter(name => name.startsWith('GET /v1/groups/'))
		expect(asked).toEqual([])
	})
})
