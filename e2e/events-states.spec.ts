import {expect, test, weather} from './fixtures.ts'
import {goTo} from './jobs.ts'
import {alert, button, main, press, tableRow, shows, isShown, isHidden, says} from './screens.ts'

test.describe('a service that gives no events', () => {
	test.use({setup: weather('GET /v1/events?*=500')})

	test('shows the failure in place of the rows, and "Try again" loads them', async ({listed: page, service}) => {
		await press(page, 'g', 'e')
		const failure = alert(page).filter({hasText: 'Could not load the events'})
		await says(failure, /status 500/)
		await service.weather()
		await button(failure, 'Try again').click()
		await shows(main(page), /[\d,]+ stored, newest/)
		await isHidden(failure)
	})
})

test.describe('a slow service', () => {
	test.use({setup: weather('GET /v1/events?*=latency:60000')})

	test('shows skeleton rows until the first events are there, and never an empty list', async ({listed: page, service}) => {
		await press(page, 'g', 'e')
		const grid = page.getByRole('grid', {name: 'Events'})
		await isShown(tableRow(grid, 'Loading').first())
		await shows(page, 'Events are loading.')
		await expect(page.getByText(/No event is stored|No matching events|^No events$|no event to count/)).toHaveCount(0)
		await goTo(page, '/detections')
		await isShown(tableRow(page.getByRole('grid', {name: 'Detections'}), 'Loading').first())
		await goTo(page, '/events')
		await service.weather()
		await shows(main(page), /[\d,]+ stored, newest/)
		await expect(tableRow(grid).nth(1)).not.toHaveAttribute('aria-label', 'Loading')
	})
})
