/** Which answers count: the key is trusted now, fits, and belongs to another person than the requester. Pure over the keys. */
import {invalidArgument} from '#contract/errors.ts'
import {isAsker, personOf, type Approval, type ApprovalState, type ApprovalSubject, type SignedAnswer, type TrustedKey} from '#model/approval.ts'

import type {Keys} from './keys.ts'
import {differenceOf, isSigned} from './signature.ts'

export interface Counted {
	readonly keys: Pick<Keys, 'trusted'>
	readonly now: number
	readonly profile: string
}

/** The key of a signature. Throws `invalid_argument` for one that is not trusted or does not fit. */
export function checkAnswer({keys, now, profile}: Counted, signed: SignedAnswer): TrustedKey {
	const key = keys.trusted('approve').find(({id}) => id === signed.key)
	if (key === undefined) throw refused(`The key ${signed.key.slice(0, 16)} is not trusted here.`)
	if (key.algorithm !== 'ed25519' || !isSigned(signed, key.publicKey)) throw refused('The signature does not fit.')
	if (signed.subject.profile !== profile) throw refused('The signature is meant for another profile.')
	if (Date.parse(signed.subject.expiresAt) <= now) throw refused('The signature has expired.')
	return key
}

type ForOne = ApprovalSubject & Pick<Approval, 'groups' | 'requesterMay' | 'answers' | 'appliedBy'>

/** Throws `invalid_argument` when the signature is for something else, or its signer may not answer. */
export function countsFor(approval: ForOne, {subject, verdict}: SignedAnswer, key: TrustedKey) {
	const part = differenceOf(subject, approval)
	if (part !== undefined) throw refused(`The signature stands for something else: ${part} is another.`)
	if (verdict === 'denied') return
	const {groups, requesterMay, answers} = approval
	if (!isIn(key, groups)) throw refused(`${key.name} is in none of the groups ${groups.join(', ')}.`)
	if (!requesterMay && isAsker(approval, key.name)) throw refused(`${key.name} asked for this, and cannot approve it.`)
	if (answers.some(one => one.verdict === 'approved' && personOf(one.by) === personOf(key.name)))
		throw refused(`${key.name} has approved this already.`)
}

/** The state of an open row. The file is trusted only as far as its signatures. */
export function standing({keys, now}: Counted, approval: Approval): ApprovalState {
	const {answers, needed, groups, requesterMay, expiresAt} = approval
	if (answers.some(({verdict}) => verdict === 'denied')) return 'denied'
	if (Date.parse(expiresAt) <= now) return 'timed_out'
	const trusted = new Map(keys.trusted('approve').map(key => [key.id, key]))
	const people = new Set<string>()
	for (const {signed, by} of answers) {
		const key = signed === null ? undefined : trusted.get(signed.key)
		const counts =
			signed === null
				? requesterMay && needed === 1
				: key !== undefined &&
					differenceOf(signed.subject, approval) === undefined &&
					isSigned(signed, key.publicKey) &&
					isIn(key, groups) &&
					(requesterMay || !isAsker(approval, key.name))
		if (counts) people.add(personOf(key?.name ?? by))
	}
	return people.size >= needed ? 'approved' : 'pending'
}

function isIn({groups}: TrustedKey, wanted: readonly string[]) {
	return wanted.length === 0 || groups.some(group => wanted.map(personOf).includes(personOf(group)))
}

function refused(message: string) {
	return invalidArgument(`${message} Nothing was approved.`, 'signature')
}
