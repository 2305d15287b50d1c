/** Approvals: what waits for a person's yes before it is carried out, who may give it, and how it is signed. */
import {z} from 'zod'

import type {Surface} from './incident.ts'

/** `change`: one command. `plan`: a job. `step`: a step of a playbook that asks for approval. */
export const approvalKinds = ['change', 'plan', 'step'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** `approved`: not carried out yet. `used`: carried out, once. `failed`: carried out, and it failed. */
export const approvalStates = ['pending', 'approved', 'used', 'failed', 'denied', 'timed_out', 'withdrawn'] as const
export type ApprovalState = (typeof approvalStates)[number]

const text = (most: number) => z.string().max(most)
const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What a signature stands for. The ID is the nonce: an approval is carried out once. */
export const approvalSubjectSchema = z.strictObject({
	format: z.literal('cordon-approval/1'),
	id: z.string().regex(/^[0-9A-Za-z-]{8,64}$/),
	kind: z.enum(approvalKinds),
	title: text(500),
	/** SHA-256 of the plan, or of the canonical JSON of the content. */
	digest,
	/** Of the playbooks that it runs. */
	children: z.array(digest).max(1000),
	/** Which profile it is carried out in. */
	profile: text(100),
	connection: z.strictObject({id: text(100), name: text(100), url: text(500)}),
	requester: text(200),
	requestedAt: z.iso.datetime(),
	expiresAt: z.iso.datetime(),
})
export type ApprovalSubject = z.infer<typeof approvalSubjectSchema>

/** An answer that was signed, perhaps on another computer. */
export const signedAnswerSchema = z.strictObject({
	format: z.literal('cordon-signature/1'),
	subject: approvalSubjectSchema,
	verdict: z.enum(['approved', 'denied']),
	/** SHA-256 of the public key. */
	key: digest,
	reason: text(2000).nullable(),
	signedAt: z.iso.datetime(),
	/** Ed25519 over the canonical JSON of all other fields; Base64. */
	signature: text(200),
})
export type SignedAnswer = z.infer<typeof signedAnswerSchema>

export interface ApprovalAnswer {
	readonly verdict: 'approved' | 'denied'
	readonly by: string
	/** `null`: without a key, where the requester may answer, or for a denial. */
	readonly key: string | null
	readonly reason: string | null
	readonly at: string
	/** As it was signed: it is verified again before anything is carried out. */
	readonly signed: SignedAnswer | null
}

/** How many must approve, and who may. */
export interface ApprovalTerms {
	readonly needed: number
	/** Of trusted keys; empty: any trusted key. */
	readonly groups: readonly string[]
	/** Then the requester's own answer counts, and one answer needs no key. */
	readonly requesterMay: boolean
}

export interface Approval extends ApprovalSubject, ApprovalTerms {
	/** What exactly is approved, for a person to read. */
	readonly details: readonly string[]
	/** Why it has to be approved, or what the requester said. */
	readonly reason: string | null
	readonly surface: Surface
	readonly state: ApprovalState
	readonly answers: readonly ApprovalAnswer[]
	/** Its outcome, in a sentence. */
	readonly outcome: string | null
	readonly run: {readonly id: string; readonly step: string} | null
	/** The approval that an edit of this one replaced it by, or that it replaces. */
	readonly replaces: string | null
}

export const keyUses = ['approve', 'publish'] as const
/** `approve`: answers approvals. `publish`: signs playbooks. */
export type KeyUse = (typeof keyUses)[number]

/** A key that is trusted, or was. */
export interface TrustedKey {
	/** SHA-256 of the public key (SPKI, DER), hexadecimal. */
	readonly id: string
	readonly name: string
	readonly use: KeyUse
	readonly algorithm: 'ed25519' | 'ec' | 'rsa'
	/** SPKI, PEM. */
	readonly publicKey: string
	readonly groups: readonly string[]
	readonly origin: 'managed' | 'profile'
	/** Its private part lies in this profile, encrypted with a passphrase. */
	readonly own: boolean
	readonly addedBy: string
	readonly addedAt: string | null
	readonly revokedAt: string | null
}

export interface KeyView extends TrustedKey {
	/** What it signs counts now. */
	readonly trusted: boolean
}
