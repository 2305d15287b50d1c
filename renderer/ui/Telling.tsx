import {createContext, useCallback, useContext, useLayoutEffect, useMemo, useState, type ReactNode} from 'react'

import type {CordonError, ErrorReport} from '#shared/contract/errors.ts'

import {isSameCause} from './error-words.ts'

type Remedy = (size: 'small' | 'medium') => ReactNode

interface Telling {
	/** What the frame has to tell. */
	readonly cause: ErrorReport | null
	/** What can be done about a failure, such as a button to replace the key; `null`: nothing but to try again. */
	remedyOf(error: Pick<ErrorReport, 'code'>): Remedy | null
	/** How many places of the screen tell it now. */
	readonly places: number
	enter(): () => void
}

const TellingContext = createContext<Telling | null>(null)

interface TellingProviderProps extends Pick<Telling, 'cause' | 'remedyOf'> {
	readonly children: ReactNode
}

/** One cause is reported once: where a screen tells in its own place what the frame would tell, the frame stays silent. */
export function TellingProvider({cause, remedyOf, children}: TellingProviderProps) {
	const [places, setPlaces] = useState(0)
	const enter = useCallback(() => {
		setPlaces(count => count + 1)
		return () => setPlaces(count => count - 1)
	}, [])
	const value = useMemo(() => ({cause, remedyOf, places, enter}), [cause, remedyOf, places, enter])
	return <TellingContext value={value}>{children}</TellingContext>
}

/** For what stands in place of a screen's rows or above them: tells the frame's cause instead of the frame. What helps against the failure. */
export function useTelling(error: CordonError | ErrorReport | null | undefined): Remedy | null {
	const telling = useContext(TellingContext)
	const enter = telling?.enter
	const isSame = isSameCause(telling?.cause, error)
	useLayoutEffect(() => (isSame ? enter?.() : undefined), [isSame, enter])
	return error == null ? null : (telling?.remedyOf(error) ?? null)
}

/** Whether the screen tells the frame's cause already. */
export function useIsToldInPlace(): boolean {
	return (useContext(TellingContext)?.places ?? 0) > 0
}
