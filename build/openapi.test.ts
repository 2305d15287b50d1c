import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

test('the document of the local API is clean by the recommended rules', () => {
	const linter = here('../node_modules/@redocly/cli/bin/cli.js')
	const argv = [linter, 'lint', '--extends', 'recommended', '--format', 'json', here('../docs/reference/openapi.json')]
	const env = {...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true'}
	const told = JSON.parse(execFileSync(process.execPath, argv, {encoding: 'utf8', env, stdio: 'pipe'})) as {
		totals: Readonly<Record<string, number>>
	}
	expect(told.totals).toMatchObject({errors: 0, warnings: 0})
	// It is for objects, and no parameter is one.
	const document = readFileSync(here('../docs/reference/openapi.json'), 'utf8')
	expect(document).not.toContain('deepObject')
	for (const told of ['Replayed', '"allow', 'www-', 'serviceStatus']) expect(document).toContain(told)
})
