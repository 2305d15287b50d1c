/** The command line as a function: words in, exit code out. Each command loads only the modules it needs. */
import {usageError} from '#contract/errors.ts'

import {optionOf, readInvocation, wantsMode, type Invocation} from './argv.ts'
import {isAnsweredByConsole} from './console-words.ts'
import {reportFailure} from './failure.ts'
import type {CliHost} from './host.ts'
import {createOutput, type Output} from './output.ts'
import type {SubCall} from './session.ts'

export async function runCli(argv: readonly string[], host: CliHost) {
	const output = createOutput(host, wantsMode(argv))
	const code = await run(argv, host, output)
	await output.flush()
	return code
}

async function run(argv: readonly string[], host: CliHost, output: Output) {
	try {
		const invocation = readInvocation(argv)
		const code = (await askConsole(argv, invocation, host, output)) ?? (await dispatch(invocation, host, output))
		await output.flush()
		if (code === 0) output.gone.throwIfAborted()
		return code
	} catch (error) {
		return reportFailure(error, output)
	}
}

/** The console's exit code; `undefined` without a console, and for commands that the console does not answer. */
async function askConsole(argv: readonly string[], invocation: Invocation, host: CliHost, output: Output) {
	if (invocation.kind === 'help' || invocation.kind === 'version') return undefined
	const answers = isAnsweredByConsole(invocation)
	if (host.console !== undefined && !answers) throw usageError('The console does not answer this command: it runs in a process of its own.')
	if (host.console !== undefined || !answers) return undefined
	return await (await import('./through.ts')).throughConsole(argv, invocation, host, output)
}

async function dispatch(invocation: Invocation, host: CliHost, output: Output) {
	switch (invocation.kind) {
		case 'command':
			return (await import('./run-command.ts')).runCommand(invocation, host, output)
		case 'help':
			return (await import('./help.ts')).showHelp(invocation.about, output)
		case 'version':
			return (await import('./help.ts')).showVersion(output)
		case 'subcommand':
			return await dispatchSubcommand({sub: invocation, host, output, option: name => optionOf(invocation, name)})
	}
}

async function dispatchSubcommand(call: SubCall) {
	const [family] = call.sub.spec.name.split(' ')
	switch (family) {
		case 'connections':
			return (await import('./connections.ts')).runConnections(call)
		case 'log':
			return (await import('./log.ts')).runLog(call)
		case 'incidents':
			return (await import('./incidents.ts')).runIncidents(call)
		case 'sandbox':
			return (await import('./sandbox.ts')).runSandbox(call)
		case 'instances':
			return (await import('./instances.ts')).runInstances(call)
		case 'parameters':
			return (await import('./parameters.ts')).runParameters(call)
		case 'job':
			return (await import('./job.ts')).runJob(call)
		case 'playbook':
			return (await import('./playbook.ts')).runPlaybook(call)
		case 'approvals':
		case 'plan':
		case 'keys':
			return (await import('./approvals.ts')).runApprovals(call)
		case 'undo':
			return (await import('./undo.ts')).runUndo(call)
		case 'list':
			return (await import('./list.ts')).runList(call)
		case 'stream':
			return (await import('./stream.ts')).runStream(call)
		case 'targets':
			return (await import('./targets.ts')).runTargets(call)
		case 'api':
			return (await import('./api.ts')).runApi(call)
		case 'mcp':
			return (await import('./mcp.ts')).runMcp(call)
		case 'ca':
			return (await import('./authority.ts')).runAuthority(call)
		case 'forward':
			return (await import('./forward.ts')).runForward(call)
		case 'completion':
			return (await import('./completion.ts')).printCompletion(call)
		default:
			return (await import('./suggestions.ts')).printSuggestions(call)
	}
}
