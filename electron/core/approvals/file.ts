/** An approval as a file, to be read and signed on another computer. */
import {z} from 'zod'

import {usageError, invalidArgument} from '#contract/errors.ts'
import {approvalSubjectSchema} from '#model/approval.ts'
import type {TextFile} from '#model/text-file.ts'

import {digestOfJson} from '#base/canonical.ts'
import {bareSubject, type Approvals} from './approvals.ts'

const requestSchema = z.strictObject({format: z.literal('cordon-approval-request/1'), subject: approvalSubjectSchema, content: z.unknown()})
type ApprovalRequest = z.infer<typeof requestSchema>

/** A plan is signed from its own file. */
export function approvalFile(approvals: Pick<Approvals, 'get' | 'contentOf'>, id: string): TextFile {
	const approval = approvals.get(id)
	if (approval.kind === 'plan') throw usageError('A plan is signed from its own file: cordon job … --plan FILE.', 'id')
	const [subject, content] = [bareSubject(approval), approvals.contentOf(id)]
	const request: ApprovalRequest = {format: 'cordon-approval-request/1', subject, content}
	const text = `${JSON.stringify(request, null, 2)}\n`
	return {name: `approval-${id}.json`, text}
}

/** `undefined` for another kind of file. Throws `invalid_argument` when the digest does not match the content. */
export function readApprovalFile(value: unknown): ApprovalRequest | undefined {
	if (typeof value !== 'object' || value === null || Reflect.get(value, 'format') !== 'cordon-approval-request/1') return undefined
	const parsed = requestSchema.safeParse(value)
	if (!parsed.success) throw wrong('The file is not a request for approval.')
	if (digestOfJson(parsed.data.content) !== parsed.data.subject.digest)
		throw wrong('The digest is not that of the content: the file was changed. Nothing was signed.')
	return parsed.data
}

function wrong(message: string) {
	return invalidArgument(message, 'file')
}
