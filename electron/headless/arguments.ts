import {parseArgs} from 'node:util'

import {CordonError, messageOf} from '#contract/errors.ts'
import {integerOption} from '#shared/integer-option.ts'

export type HeadlessArguments = ReturnType<typeof parseHeadlessArguments>

export const headlessUsage = `Usage: npm start -- [options]

  --headless              serve the console to a browser; do not try the desktop window
  --no-open               do not open a browser
  --json                  print one JSON line on stdout when ready
  --port PORT             listen on this port of 127.0.0.1; 0 takes any free one
  --profile DIR           keep connections, log and local data here
  --passphrase-file FILE  encrypt stored keys with the first line of this file
  --no-sandbox            without a connection, open on the connect form, not on the sandbox
  --sandbox-computers N   size of the sandbox tenant (default 2000)
  --sandbox-seed SEED     another tenant
  --help                  show this
`

/** Throws `usage` with a sentence. */
export function parseHeadlessArguments(argv: readonly string[]) {
	const values = parse(argv)
	return {
		/** 0: any free port; `undefined`: the usual one, or any when it is taken. */
		port: integerOption('port', values.port, 0, 65_535),
		profile: values.profile,
		/** Prints one JSON line on stdout instead of sentences. */
		json: values.json,
		/** Whether to look for a browser. */
		open: !values['no-open'],
		sandbox: !values['no-sandbox'],
		sandboxComputers: integerOption('sandbox-computers', values['sandbox-computers'], 1, 1_000_000),
		sandboxSeed: values['sandbox-seed'],
		passphraseFile: values['passphrase-file'],
		help: values.help
	}
}

function parse(argv: readonly string[]) {
	try {
		return parseArgs({
			args: [...argv],
			options: {
				headless: {type: 'boolean', default: false},
				'no-open': {type: 'boolean', default: false},
				json: {type: 'boolean', default: false},
				port: {type: 'string'},
				profile: {type: 'string'},
				'passphrase-file': {type: 'string'},
				'no-sandbox': {type: 'boolean', default: false},
				'sandbox-computers': {type: 'string'},
				'sandbox-seed': {type: 'string'},
				help: {type: 'boolean', default: false}
			}
		}).values
	} catch (error) {
		const reason = messageOf(error)
		throw new CordonError('usage', `${reason.replace(/\.$/, '')}. Try --help.`, {}, {cause: error})
	}
}
