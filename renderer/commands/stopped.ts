import type {CommandSpec} from '#shared/commands/define.ts'
import {CordonError} from '#contract/errors.ts'

import {asCordonError} from '#api/errors.ts'

export function runFailure(thrown: unknown, spec: CommandSpec | undefined): CordonError {
	const error = asCordonError(thrown)
	if (error.code !== 'cancelled' || spec === undefined || spec.risk === 'read') return error
	return new CordonError('outcome_unknown', 'Cancelled. The change may have been sent and applied. Check the current state before retrying.')
}
