/** The overview in all its states: after a change, in bad weather, with nothing to tell, and without a service. */
import {expect, test, usualSetup} from './fixtures.ts'
import {attention, goToOverview, openOverview, picture, threePages, tile} from './overview.ts'
import {button, isolate, openComputer, press, region, title, shows, isShown, says, reads} from './screens.ts'

test('an isolation appears among the last actions and in the funnel', async ({page}) => {
	await openComputer(page, 'FIN-LT-0231')
	await isolate(page, 'FIN-LT-0231', 'Beaconing')
	await press(page, 'g', 'o')
	await isShown(
		region(page, 'Last actions')
			.getByText(/FIN-LT-0231/)
			.first()
	)
	const funnel = picture(page, 'Isolations of the last 7 days')
	await expect(button(funnel, 'Requested: 1')).toBeAttached()
	await expect(button(funnel, 'Isolated: 1')).toBeAttached()
})

test.describe('a part of the list that fails', () => {
	test.use({setup: {...usualSetup, service: [...threePages, '--weather', 'GET /v1/computers?*offset=1000*=500']}})

	test('shows numbers as "at least", names what is missing, and a refresh completes them', async ({page, service: running}) => {
		await openOverview(page)
		await says(tile(page, 'Computers'), '≥ 1,000')
		await running.weather()
		await button(page, 'Load what is missing').click()
		await reads(tile(page, 'Computers'), /^1,200/)
	})
})

test.describe('a tenant without trouble', () => {
	test.use({setup: {...usualSetup, service: ['--computers', '0', '--agent-delay', '400']}})

	test('says that nothing needs attention, with the time', async ({page}) => {
		await goToOverview(page)
		await shows(attention(page), /Nothing needs attention, checked \d\d:\d\d/)
		await reads(tile(page, 'Computers'), /^0/)
	})
})

test.describe('no connection', () => {
	test.use({setup: {...usualSetup, connection: 'none', console: ['--no-sandbox']}})

	test('shows the form of the first start', async ({page}) => {
		await goToOverview(page)
		await isShown(title(page))
		await expect(tile(page, 'Computers')).toHaveCount(0)
	})
})
