/** Log entries of approvals: who asked, who answered, and with which key. */
import type {ApprovalSubject, SignedAnswer, TrustedKey} from '#model/approval.ts'
import type {Surface} from '#model/incident.ts'

import type {NewEntry} from '#core/record/incidents/types.ts'

const words = {
	requested: 'Approval requested',
	approved: 'Approved',
	denied: 'Approval denied',
	withdrawn: 'Approval withdrawn',
	timed_out: 'Approval timed out',
	early: 'Signature kept for an approval that is not requested yet',
	failed: 'Approved, without success'
} as const

interface Told {
	by?: string | TrustedKey
	key?: string | null
	reason?: string | null
	surface?: Surface
	signed?: SignedAnswer
}

export function entryOf(
	subject: ApprovalSubject & {surface?: Surface},
	what: keyof typeof words,
	{by, key, reason, surface, signed}: Told = {}
): NewEntry {
	const {id, title, digest, requester, connection} = subject
	const name = typeof by === 'string' ? by : by?.name
	const who = name === undefined ? ` by ${requester}` : ` by ${name}`
	const withKey = key === undefined || key === null ? '' : ` with the key ${key.slice(0, 16)}`
	const because = reason === undefined || reason === null || reason === '' ? '' : ` Reason: ${reason}`
	return {
		kind: 'note',
		surface: surface ?? subject.surface ?? 'screen',
		message: `${words[what]}${what === 'timed_out' || what === 'failed' ? '' : who}${withKey}: ${title}.${because}`,
		connection,
		data: {approval: id, digest, ...(signed !== undefined && {signature: signed.signature, key: signed.key})}
	}
}
