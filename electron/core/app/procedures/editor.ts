import {CordonError} from '#shared/contract/errors.ts'

import {hashFile} from '#core/work/list-editor/hash-file.ts'
import {reportedStream} from '../router-errors.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

/** The editor of file lists: staged changes stay here until a job takes them. */
export function editorProcedures(os: Implementer, {listEditor, stopping, ports, programLog}: RouterDependencies) {
	const routes = os.editor
	return {
		hashFile: routes.hashFile.handler(({input, signal}) => {
			const path = ports.chosenFiles?.take(input.ticket)
			if (path === undefined) throw new CordonError('not_found', 'Nobody chose this file here.', {field: 'ticket'})
			const end = AbortSignal.any([stopping, ...(signal === undefined ? [] : [signal])])
			const steps = hashFile(path, {signal: end, now: () => ports.clock.monotonic()})
			return reportedStream(steps, 'editor.hashFile', programLog)
		}),
		inspect: routes.inspect.handler(({input}) => listEditor().inspect(input)),
		state: routes.state.handler(({input}) => listEditor().state(input)),
		rows: routes.rows.handler(({input}) => listEditor().rows(input, input)),
		stage: routes.stage.handler(({input}) => listEditor().stage(input, input.operation, input.source)),
		annotate: routes.annotate.handler(({input}) => listEditor().annotate(input, input.keys, input)),
		drop: routes.drop.handler(({input}) => listEditor().drop(input, input.keys)),
		plan: routes.plan.handler(({input, signal}) => listEditor().plan(input, input, signal)),
		discard: routes.discard.handler(({input}) => listEditor().discard(input)),
		prevalence: routes.prevalence.handler(({input, signal}) =>
			listEditor().prevalence(input, input.keys, AbortSignal.any([stopping, ...(signal === undefined ? [] : [signal])])),
		),
		difference: routes.difference.handler(({input}) => listEditor().difference(input, input.with)),
		export: routes.export.handler(({input}) => listEditor().export(input, input.format)),
	}
}
