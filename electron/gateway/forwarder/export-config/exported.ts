import {createReport, type Report} from './report.ts'
import {authoritiesOf, routedInstances} from './routed.ts'
import type {Exported, ExportInput, Routed} from './types.ts'

/** The lines of an engine's configuration as a file, with the authorities of client certificates beside it. */
export function exported(
	input: ExportInput,
	linesOf: (routed: readonly Routed[], asksClients: boolean, report: Report) => readonly string[]
): Exported {
	const report = createReport()
	const routed = routedInstances(input)
	const {pem} = authoritiesOf(routed)
	const text = linesOf(routed, pem !== '', report).join('\n')
	const files = pem === '' ? [] : [{name: 'cordon-client-authorities.pem', content: pem}]
	return {text, files, impossible: report.all}
}
