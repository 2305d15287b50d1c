/** Procedures of approvals and of the keys that give them. Only the window and a terminal can answer: no API, no assistant. */
import {type} from '@orpc/contract'
import {z} from 'zod'

import {base, given} from './base.ts'
import {keyUses, type Approval, type KeyView, type TrustedKey} from '../model/approval.ts'
import type {TextFile} from '../model/text-file.ts'

const id = z.string().min(1).max(100)
const reason = z.string().trim().max(2000).nullable()
const file = z.object({text: z.string().max(1_100_000)})
const key = z.string().min(1).max(200)
const passphrase = z.string().min(1).max(1000)

export const approvalsContract = {
	/** Newest first; `all`: includes past ones. */
	list: given({all: z.boolean()}).output(type<readonly Approval[]>()),
	get: given({id}).output(type<Approval>()),
	/** Resolves once the approved work was carried out. Without a key only a denial, and where the requester may answer. `digest`: of what was shown. */
	answer: given({
		id,
		digest: z.string().max(100),
		verdict: z.enum(['approved', 'denied']),
		reason,
		key: z.object({name: key, passphrase}).optional()
	}).output(type<Approval>()),
	/** Replaces the arguments of a change by another approval. */
	edit: given({id, args: z.record(z.string().max(100), z.string().max(10_000))}).output(type<Approval>()),
	withdraw: given({id, reason: z.string().trim().min(1).max(2000)}).output(type<Approval>()),
	/** The content to sign on another computer. */
	file: given({id}).output(type<TextFile>()),
	/** `null`: kept for an approval that is not requested yet. */
	accept: base.input(file).output(type<Approval | null>()),
	keys: base.output(type<readonly KeyView[]>()),
	createKey: given({name: z.string().trim().min(1).max(200), passphrase}).output(type<TrustedKey>()),
	addKey: given({
		name: z.string().trim().min(1).max(200),
		use: z.enum(keyUses),
		publicKey: z.string().min(1).max(10_000),
		groups: z.array(z.string().trim().min(1).max(100)).max(50),
		confirm: z.string().max(200).optional()
	}).output(type<TrustedKey>()),
	revokeKey: given({key, reason: z.string().trim().min(1).max(2000)}).output(type<void>())
}
