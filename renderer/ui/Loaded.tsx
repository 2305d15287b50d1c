import type {ReactNode} from 'react'

import type {CordonError} from '#shared/contract/errors.ts'

import {ErrorState} from './EmptyState.tsx'
import {SkeletonLines} from './Skeleton.tsx'

interface UnloadedProps {
	/** A query of the host. */
	of: {readonly error: CordonError | null; refetch(): unknown}
	/** Of the failure. */
	title?: string
	/** Of the skeleton: its height, and its name for screen readers. */
	lines?: number
	label?: string
}

/** In place of what a query has not answered: grey lines, or why there is no answer. */
export function Unloaded({of: {error, refetch}, title, lines, label}: UnloadedProps) {
	if (error !== null) return <ErrorState error={error} title={title} onRetry={refetch} />
	return <SkeletonLines lines={lines} label={label} />
}

interface LoadedProps<T> extends UnloadedProps {
	of: UnloadedProps['of'] & {readonly data: T | undefined}
	children: (data: NonNullable<T>) => ReactNode
}

/** In place of an answer that is `null` or has no rows. Required where it may be `null`. */
type Empty<T> = null extends T ? {empty: ReactNode} : {empty?: ReactNode}

/** What a query answered. A failed refresh keeps what is there. */
export function Loaded<T>(props: LoadedProps<T> & Empty<T>) {
	const {children, empty, ...unloaded}: LoadedProps<T> & {empty?: ReactNode} = props
	const {data} = props.of
	if (data === undefined) return <Unloaded {...unloaded} />
	const isEmpty = data === null || (empty !== undefined && Array.isArray(data) && data.length === 0)
	return isEmpty ? empty : children(data)
}
