/** Approvals: work that waits for another person's consent, who may give it, and how it is signed. */
import {z} from 'zod'

import {fold} from './fold.ts'
import type {Surface} from './incident.ts'

/** `change`: one command. `plan`: a job. `step`: a step of a playbook that asks for approval. */
const approvalKinds = ['change', 'plan', 'step'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** `approved`: not carried out yet. `used`: carried out, once. `failed`: carried out, and it failed. */
export const approvalStates = ['pending', 'approved', 'used', 'failed', 'denied', 'timed_out', 'withdrawn'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** Of those that ended, the newest are listed. */
export const mostEnded = 500

const text = (most: number) => z.string().max(most)
const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** The signed content. The ID is the nonce: an approval is carried out once. */
export const approvalSubjectSchema = z.strictObject({
	format: z.literal('cordon-approval/1'),
	id: z.string().regex(/^[0-9A-Za-z-]{8,64}$/),
	kind: z.enum(approvalKinds),
	title: text(500),
	/** SHA-256 of the plan, or of the canonical JSON of the content. */
	digest,
	/** Of the playbooks that it runs. */
	children: z.array(digest).max(1000),
	/** The profile that carries it out. */
	profile: text(100),
	connection: z.strictObject({id: text(100), name: text(100), url: text(500)}),
	requester: text(200),
	requestedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime()
})
export type ApprovalSubject = z.infer<typeof approvalSubjectSchema>

/** A signed answer, possibly from another computer. */
export const signedAnswerSchema = z.strictObject({
	format: z.literal('cordon-signature/1'),
	subject: approvalSubjectSchema,
	verdict: z.enum(['approved', 'denied']),
	/** SHA-256 of the public key. */
	key: digest,
	reason: text(2000).nullable(),
	signedAt: z.iso.datetime(),
	/** Ed25519 over the canonical JSON of all other fields; Base64. */
	signature: text(200)
})
export type SignedAnswer = z.infer<typeof signedAnswerSchema>

export type ApprovalAnswer = Readonly<{
	verdict: 'approved' | 'denied'
	by: string
	/** `null`: without a key, if the requester may answer, or for a denial. */
	key: string | null
	reason: string | null
	at: string
	/** As signed: verified again before anything is carried out. */
	signed: SignedAnswer | null
}>

/** Required number of approvals, and who may give them. */
export interface ApprovalTerms {
	readonly needed: number
	/** Groups of trusted keys; empty: any trusted key. */
	readonly groups: readonly string[]
	/** Then the requester's own answer counts, and one answer needs no key. */
	readonly requesterMay: boolean
}

export interface Approval extends ApprovalSubject, ApprovalTerms {
	/** Who applied the plan, whoever made it: a requester too. */
	readonly appliedBy?: string | undefined
	/** The exact content to approve, in readable form. */
	readonly details: readonly string[]
	/** Why it needs approval, or the requester's reason. */
	readonly reason: string | null
	readonly surface: Surface
	readonly state: ApprovalState
	readonly answers: readonly ApprovalAnswer[]
	/** Its outcome, in a sentence. */
	readonly outcome: string | null
	readonly run: {id: string; step: string} | null
	/** The approval that replaced this one after an edit, or that this one replaces. */
	readonly replaces: string | null
}

/** The same for each spelling of a name. */
export const personOf = (name: string): string => fold(name.trim())

/** Whether it is the name of who asked, in a chat too (`kim by Slack`): that key does not count, unless the requester may answer. */
export function isAsker({requester, appliedBy = requester}: Pick<Approval, 'requester' | 'appliedBy'>, name: string) {
	return [requester, appliedBy].some(one => `${personOf(one)} by `.startsWith(`${personOf(name)} by `))
}

export const keyUses = ['approve', 'publish'] as const
/** `approve`: answers approvals. `publish`: signs playbooks. */
export type KeyUse = (typeof keyUses)[number]

/** A key that is or was trusted. */
export type TrustedKey = Readonly<{
	/** SHA-256 of the public key (SPKI, DER), hexadecimal. */
	id: string
	name: string
	use: KeyUse
	algorithm: 'ed25519' | 'ec' | 'rsa'
	/** SPKI, PEM. */
	publicKey: string
	groups: readonly string[]
	origin: 'managed' | 'profile'
	/** Whether the private part is in this profile, encrypted with a passphrase. */
	own: boolean
	addedBy: string
	addedAt: string | null
	revokedAt: string | null
}>

export interface KeyView extends TrustedKey {
	/** Whether its signatures are valid now. */
	readonly trusted: boolean
}
