import {createContext, useCallback, useContext, useLayoutEffect, useMemo, useState, type ReactNode} from 'react'

import type {CordonError, ErrorReport} from '#contract/errors.ts'

import {isSameCause} from './error-words.ts'

type Remedy = (small: boolean) => ReactNode

interface Telling {
	/** The frame's failure. */
	cause: ErrorReport | null
	/** The remedy for a failure, such as a button to replace the key; `null`: only trying again. */
	remedyOf(error: Pick<ErrorReport, 'code'>): Remedy | null
	/** Number of places that report it now. */
	places: number
	enter(): () => void
}

const TellingContext = createContext<Telling | null>(null)

interface TellingProviderProps extends Pick<Telling, 'cause' | 'remedyOf'> {
	children: ReactNode
}

/** One cause is reported once: when a screen reports it, the frame does not. */
export function TellingProvider({cause, remedyOf, children}: TellingProviderProps) {
	const [places, setPlaces] = useState(0)
	const enter = useCallback(() => {
		setPlaces(count => count + 1)
		return () => setPlaces(count => count - 1)
	}, [])
	const value = useMemo(() => ({cause, remedyOf, places, enter}), [cause, remedyOf, places, enter])
	return <TellingContext value={value}>{children}</TellingContext>
}

/** For parts in place of a screen's rows or above them: reports the frame's cause instead of the frame. Returns the remedy. */
export function useTelling(error: CordonError | ErrorReport | null | undefined) {
	const telling = useContext(TellingContext)
	const enter = telling?.enter
	const isSame = isSameCause(telling?.cause, error)
	useLayoutEffect(() => (isSame ? enter?.() : undefined), [isSame, enter])
	return error == null ? null : (telling?.remedyOf(error) ?? null)
}

/** Whether the screen already reports the frame's cause. */
export function useIsToldInPlace() {
	return (useContext(TellingContext)?.places ?? 0) > 0
}
