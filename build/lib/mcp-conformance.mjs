import {counted} from './checks.mjs'
import {at} from './paths.mjs'
import {runTool} from './run.mjs'

/** Where the suite cannot be fetched it is skipped, as the last lines say; with `CORDON_MCP=required` that is a failure. */
export const mcpConformance = {
	name: 'Assistants (MCP conformance)',
	run: node => {
		const {status} = runTool(node, [at('build', 'mcp-conformance', 'main.ts')], {timeoutMs: 600_000})
		if (status !== 2) return counted(status === 0)
		const isRequired = process.env.CORDON_MCP === 'required'
		const notes = ['The MCP conformance suite could not be fetched.']
		return {passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1, notes}
	}
}
