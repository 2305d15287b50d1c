import {parseArgs} from 'node:util'

import {CordonError, messageOf, usageError} from '#contract/errors.ts'
import {z} from 'zod'

export type DesktopArguments = ReturnType<typeof parseDesktopArguments>

/**
 * The starter's arguments, as a JSON list out of the environment. They do not stand on the command line, because
 * Chromium reads that too: our `--no-sandbox` means no sandbox tenant, its own means no protection.
 */
export function parseDesktopArguments(json: string | undefined) {
	const argv = z.array(z.string()).parse(JSON.parse(json ?? '[]'))
	const values = parse(argv)
	const computers = values['sandbox-computers']
	if (computers !== undefined && !/^[1-9]\d{0,5}$/.test(computers))
		throw usageError('--sandbox-computers must be a whole number from 1 to 999999.')
	return {
		profile: values.profile,
		sandbox: !values['no-sandbox'],
		sandboxComputers: computers === undefined ? undefined : Number(computers),
		sandboxSeed: values['sandbox-seed'],
	}
}

function parse(argv: readonly string[]) {
	try {
		return parseArgs({
			args: [...argv],
			options: {
				profile: {type: 'string'},
				'no-sandbox': {type: 'boolean', default: false},
				'sandbox-computers': {type: 'string'},
				'sandbox-seed': {type: 'string'},
			},
		}).values
	} catch (error) {
		throw new CordonError('usage', messageOf(error), {}, {cause: error})
	}
}
