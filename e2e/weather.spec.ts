import {test} from './house.ts'
import {alert, answerLine, drawer, grid, main, runLine, tableRow, shows, isHidden, says, thereAre, push} from './screens.ts'

/** `told`: what the operator reads. */
type Storm = [name: string, weather: string, told: RegExp]

test.describe.configure({mode: 'parallel'})

/** Failures that no retry helps: they are reported at once. */
const storms: Storm[] = [
	['an internal error', '500', /answered with an error \(status 500\).*Request [0-9a-f-]{36}/],
	["a gateway's HTML page with status 200", 'html:200', /answer is a web page, not JSON/],
	['malformed JSON', 'malformed', /answer is not JSON/],
	['an empty body', 'empty', /answered without a body/],
	['success together with errors', 'errors', /reported success together with errors/],
	['a redirect', 'redirect:http://127.0.0.1:9/', /redirected to .*credentials are never sent/]
]

for (const [name, weather, told] of storms) {
	test(`${name} is explained in a sentence, and the next attempt succeeds`, async ({listed: page, service}) => {
		await service.weather(`GET /v1/version=${weather},times:1`)
		await runLine(page, 'svc_get_version')
		await says(alert(drawer(page)), 'The command failed')
		await says(alert(drawer(page)), told)
		await runLine(page, 'svc_get_version')
		await says(answerLine(page), /version/i)
	})
}

/** Failures that may pass: a reading is tried again, and says so. */
const showers: Storm[] = [
	['a bad gateway (502)', '502', /Attempt [12] of 4 in 1 s: .*status 502/],
	['an unavailable service (503)', '503', /Attempt [12] of 4 in 1 s: .*status 503/],
	['a reset connection', 'reset', /Attempt [12] of 4 in 1 s: .*before the answer arrived/],
	['a truncated answer', 'truncate', /Attempt [12] of 4 in 1 s: .*ended too early/]
]

for (const [name, weather, told] of showers) {
	test(`${name} is retried, visibly, until it works`, async ({listed: page, service}) => {
		await service.weather(`GET /v1/version=${weather},times:2`)
		await runLine(page, 'svc_get_version')
		await says(answerLine(page), told)
		await says(answerLine(page), /version/i)
		await thereAre(alert(drawer(page)), 0)
	})
}

test('a service that stays away is reported after the last attempt, with its request id', async ({listed: page, service}) => {
	await service.weather('GET /v1/version=503')
	await runLine(page, 'svc_get_version')
	await says(alert(drawer(page)), /status 503\).*Request [0-9a-f-]{36}/)
})

test('Stop ends the wait for a service that hangs', async ({listed: page, service}) => {
	await service.weather('GET /v1/version=hang')
	await runLine(page, 'svc_get_version')
	await shows(drawer(page), 'Querying the service')
	await push(drawer(page), 'Stop')
	await says(alert(drawer(page)), 'Cancelled.')
})

test('a slow drip arrives whole', async ({listed: page, service}) => {
	await service.weather('GET /v1/groups=drip:40')
	await runLine(page, 'svc_get_groups limit=5')
	await says(answerLine(page), '5 of 44 groups')
	await thereAre(tableRow(grid(drawer(page))), 6)
})

test('a used-up API limit is waited for visibly, with a countdown, and can be stopped', async ({listed: page, service}) => {
	await service.weather('GET /v1/version=429:3,times:1')
	await runLine(page, 'svc_get_version')
	const doing = answerLine(page)
	await says(doing, /Waiting for the API limit: resumes at [\d:]+.*, in 00:0\d/)
	await shows(main(page), /API limit reached. Loading resumes at/)
	// A renewal of local data may wait too.
	await says(page.getByRole('banner'), /\d calls? waits? · resumes in 00:0\d/)
	await says(doing, /version/i)
	await isHidden(main(page).getByText('API limit reached'))

	// The header tells seconds from now, not a time of the clock.
	await service.weather('GET /v1/version=429:1991,times:1')
	await runLine(page, 'svc_get_version')
	await says(doing, /Waiting for the API limit: resumes at [\d:]+.*, in 33:\d\d/)
	await push(drawer(page), 'Stop')
	await says(alert(drawer(page)), 'Cancelled.')
})
