import {CordonError} from '#contract/errors.ts'

import {hashFile} from '#core/work/list-editor/hash-file.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

/** The editor of file lists: staged changes stay here until a job takes them. */
export function editorProcedures({listEditor, stopping, ports}: RouterDependencies): Procedures['editor'] {
	return {
		hashFile: ({input, signal = stopping}) => {
			const path = ports.chosenFiles?.take(input.ticket)
			if (path === undefined) throw new CordonError('not_found', 'Nobody chose this file here.', {field: 'ticket'})
			const end = AbortSignal.any([stopping, signal])
			return hashFile(path, {signal: end, now: () => ports.clock.monotonic()})
		},
		inspect: ({input}) => listEditor().inspect(input),
		state: ({input}) => listEditor().state(input),
		rows: ({input}) => listEditor().rows(input, input),
		keys: ({input}) => listEditor().keys(input, input.view),
		stage: ({input}) => listEditor().stage(input, input.operation, input.source),
		annotate: ({input}) => listEditor().annotate(input, input.keys, input),
		drop: ({input}) => listEditor().drop(input, input.keys),
		plan: ({input, signal}) => listEditor().plan(input, input, signal),
		discard: ({input}) => listEditor().discard(input),
		prevalence: ({input, signal = stopping}) => listEditor().prevalence(input, input.keys, AbortSignal.any([stopping, signal])),
		difference: ({input}) => listEditor().difference(input, input.with),
		export: ({input}) => listEditor().export(input, input.format)
	}
}
