import {keyUses} from '#model/approval.ts'

import {approvalFile} from '#core/approvals/file.ts'
import {editedChange} from '#core/actions/commands/approving.ts'
import type {Procedures, RouterDependencies} from './dependencies.ts'

export function approvalProcedures({profile: {approvals}}: RouterDependencies): Procedures['approvals'] {
	const {keys} = approvals
	const surface = 'screen'
	return {
		list: ({input}) => approvals.list(input.all ? undefined : ['pending', 'approved']),
		get: ({input}) => approvals.get(input.id),
		answer: ({input}) => approvals.answer({...input, surface}),
		edit: ({input}) => {
			const edit = editedChange(approvals.contentOf(input.id), input.args)
			return approvals.replace(input.id, edit, surface)
		},
		withdraw: ({input}) => approvals.withdraw(input.id, input.reason, surface),
		file: ({input}) => approvalFile(approvals, input.id),
		accept: ({input}) => approvals.accept(input.text, surface),
		keys: () => {
			const trusted = new Set(keyUses.flatMap(use => keys.trusted(use).map(({id}) => `${id} ${use}`)))
			return keys.list().map(key => ({...key, trusted: trusted.has(`${key.id} ${key.use}`)}))
		},
		createKey: ({input}) => keys.create({...input, surface}),
		addKey: ({input}) => keys.add({...input, confirm: input.confirm, surface}),
		revokeKey: ({input}) => keys.revoke({...input, surface})
	}
}
