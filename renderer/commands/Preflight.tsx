import {useEffect, useRef} from 'react'

import {glanceOf} from '#model/isolation.ts'
import {isolationStates} from '#text/states.ts'

import {useActiveFrame, useAskedHere} from '#api/hooks.tsx'
import {Banner, Reason, SkeletonLines} from '#ui/States.tsx'
import {t} from './text.ts'

type PreflightView = ReturnType<typeof usePreflight>

/** Asks the service, while the dialog is open, whether the action is possible now. Two reads, no change. */
export function usePreflight(guid: string, action: 'isolate' | 'release', isAsked = true) {
	const {data, error, refetch, isFetching} = useAskedHere(
		q => q.isolation.preflight,
		{guid, action},
		{
			enabled: isAsked,
			// Each opening asks anew: never act on a state from a minute ago.
			gcTime: 0,
			staleTime: 0
		}
	)
	const link = useActiveFrame()?.link.kind
	/** Where one of its reads fails for good, the link is ok after each try: so it asks by itself only once. */
	const again = useRef<'not yet' | 'waits' | 'done'>('not yet')
	const isOpen = data?.allowed === 'unknown' && !isFetching
	useEffect(() => {
		if (isOpen && link === 'failing' && again.current === 'not yet') again.current = 'waits'
		if (!isOpen || link !== 'ok' || again.current !== 'waits') return
		again.current = 'done'
		void refetch()
	}, [isOpen, link, refetch])
	return {preflight: data, refusal: data?.allowed === 'no' ? (data.problem ?? 'This is not possible now.') : null, failed: error, retry: refetch}
}

/** The service's answer, and what to consider first. */
export function PreflightNotes({view}: {view: PreflightView}) {
	const {preflight, refusal, failed, retry} = view
	const again = [t.checkAgain, retry] as const
	if (failed !== null)
		return (
			<Banner tone="warning" act={again}>
				{t.couldNotLoadColon} <Reason error={failed} />
			</Banner>
		)
	if (preflight === undefined) return <SkeletonLines lines={2} label={t.loadingCurrent} />
	const {allowed, problem, warnings} = preflight
	return (
		<div className="tight">
			{refusal !== null && <Banner tone="bad">{refusal}</Banner>}
			{allowed === 'unknown' && (
				<Banner tone="warning" act={again}>
					{t.couldNotCheckColon} <Reason error={preflight.failure} otherwise={t.serviceGave} />
				</Banner>
			)}
			{[...(allowed === 'yes' && problem !== null ? [problem] : []), ...warnings].map(warning => (
				<Banner key={warning} tone="warning">
					{warning}
				</Banner>
			))}
			<p className="quiet">
				{t.nowColon} {preflight.state === null ? t.unknown : isolationStates[glanceOf(preflight.state)].word}
				{preflight.reach !== '' && `. ${preflight.reach}`}
			</p>
		</div>
	)
}
