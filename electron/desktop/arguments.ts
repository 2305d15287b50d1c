import {parseArgs} from 'node:util'
import {z} from 'zod'

import {CordonError, messageOf} from '#contract/errors.ts'
import {integerOption} from '#shared/integer-option.ts'
import {asSentence} from '#shared/sentence.ts'

export type DesktopArguments = ReturnType<typeof parseDesktopArguments>

/**
 * The starter's arguments, as a JSON list out of the environment. They do not stand on the command line, because
 * Chromium reads that too: our `--no-sandbox` means no sandbox tenant, its own means no protection.
 */
export function parseDesktopArguments(json: string | undefined) {
	const argv = z.array(z.string()).parse(JSON.parse(json ?? '[]'))
	const values = parse(argv)
	return {
		profile: values.profile,
		sandbox: !values['no-sandbox'],
		sandboxComputers: integerOption('sandbox-computers', values['sandbox-computers'], 1, 1_000_000),
		sandboxSeed: values['sandbox-seed']
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
				'sandbox-seed': {type: 'string'}
			}
		}).values
	} catch (error) {
		throw new CordonError('usage', asSentence(messageOf(error)), {}, {cause: error})
	}
}
