import {useState} from 'react'

import type {LeaseTerm} from '#model/job.ts'

import {useAsked, useAskedHere} from '#api/hooks.tsx'

/** The guard rules' proposal. */
export function useProposedLease(isNeeded: boolean): LeaseTerm {
	const {data} = useAskedHere(q => q.guards.get, {}, {enabled: isNeeded})
	return {hours: data === undefined ? 24 : data.leaseHours, auto: false}
}

/** The proposal, until the operator edits it. */
export function useLease(isNeeded = true) {
	const proposed = useProposedLease(isNeeded)
	const [chosen, setTerm] = useState<LeaseTerm | null>(null)
	return {term: chosen ?? proposed, setTerm}
}

/** Shown where codes are chosen on a computer that cannot store any. */
export const nothingCanBeSealed = 'This computer cannot store codes: the service makes them.'

/** Proposes random unlock codes where this computer can store them. */
export function useProposedCode(): {code: 'generated' | 'service'; canSeal: boolean} {
	const canSeal = useAsked(q => q.app.info).data?.secretStore.available !== false
	return {code: canSeal ? 'generated' : 'service', canSeal}
}
