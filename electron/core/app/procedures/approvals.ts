import {keyUses} from '#shared/model/approval.ts'

import {approvalFile} from '#core/approvals/file.ts'
import {editedChange} from '#core/actions/commands/approving.ts'
import type {Implementer, RouterDependencies} from './dependencies.ts'

export function approvalProcedures(os: Implementer, {profile: {approvals}}: RouterDependencies) {
	const routes = os.approvals
	const {keys} = approvals
	const surface = 'screen'
	return {
		list: routes.list.handler(({input}) => approvals.list(input.all ? undefined : ['pending', 'approved'])),
		get: routes.get.handler(({input}) => approvals.get(input.id)),
		answer: routes.answer.handler(({input}) => approvals.answer({...input, surface})),
		edit: routes.edit.handler(({input}) => {
			const edit = editedChange(approvals.contentOf(input.id), input.args)
			return approvals.replace(input.id, edit, surface)
		}),
		withdraw: routes.withdraw.handler(({input}) => approvals.withdraw(input.id, input.reason, surface)),
		file: routes.file.handler(({input}) => approvalFile(approvals, input.id)),
		accept: routes.accept.handler(({input}) => approvals.accept(input.text, surface)),
		keys: routes.keys.handler(() => {
			const trusted = new Set(keyUses.flatMap(use => keys.trusted(use).map(({id}) => `${id} ${use}`)))
			return keys.list().map(key => ({...key, trusted: trusted.has(`${key.id} ${key.use}`)}))
		}),
		createKey: routes.createKey.handler(({input}) => keys.create({...input, surface})),
		addKey: routes.addKey.handler(({input}) => keys.add({...input, confirm: input.confirm, surface})),
		revokeKey: routes.revokeKey.handler(({input}) => keys.revoke({...input, surface})),
	}
}
