import {once} from 'node:events'

import {startSandbox, type Sandbox} from '#sandbox/server.ts'
import {CordonError, messageOf, systemCode} from '#contract/errors.ts'

import {numberOption, valuesOf} from './argv.ts'
import {usage} from './faults.ts'
import type {Output} from './output.ts'
import type {SubCall} from './session.ts'

/** Serves until stopped, which is a success. */
export async function runSandbox(call: SubCall) {
	const {host, output} = call
	const sandbox = await start(call)
	try {
		announce(sandbox, output)
		if (!host.signal.aborted) await once(host.signal, 'abort')
	} finally {
		await sandbox.stop()
	}
	return 0
}

async function start({sub, option}: SubCall) {
	const number = (name: string, min: number, max: number) => numberOption(sub, name, min, max)
	const port = number('port', 0, 65_535) ?? 0
	const options = {
		port,
		computers: number('computers', 0, 1_000_000),
		groups: number('groups', 44, 20_000),
		fileLists: number('file-lists', 0, 14),
		seed: option('seed'),
		quota: number('quota', 0, 1_000_000),
		windowSeconds: number('window', 1, 86_400),
		agentDelayMs: number('agent-delay', 0, 86_400_000),
		weather: valuesOf(sub, 'weather')
	}
	try {
		return await startSandbox(options)
	} catch (error) {
		if (systemCode(error) === 'EADDRINUSE')
			throw usage(`Port ${port} is in use by another program`, 'choose another, or 0 for any free one', 'port')
		if (error instanceof CordonError) throw error
		throw new CordonError('usage', `The sandbox cannot start: ${messageOf(error)}`, {}, {cause: error})
	}
}

function announce(sandbox: Sandbox, output: Output) {
	const {url, clientId, apiKey, readOnlyClientId, readOnlyApiKey, controlToken} = sandbox
	if (output.mode !== 'text') {
		output.json({
			event: 'ready',
			url,
			client_id: clientId,
			api_key: apiKey,
			read_only_client_id: readOnlyClientId,
			read_only_api_key: readOnlyApiKey,
			control_token: controlToken,
			pid: process.pid
		})
		return
	}
	output.print(
		`The sandbox serves a generated tenant; nothing here is real.\n\n  Server URL  ${url}\n  Client ID   ${clientId}\n  API key     ${apiKey}\n\nCtrl-C stops it.`
	)
}
