import type {ReactNode} from 'react'

import type {CordonError} from '#shared/contract/errors.ts'

import {Button} from './Button.tsx'
import {CopyButton} from './CopyButton.tsx'
import styles from './EmptyState.module.css'
import {Reason} from './Reason.tsx'
import {useTelling} from './Telling.tsx'
import {t} from './text.ts'

export interface EmptyStateProps {
	title: string
	/** Why it is empty, and the next step. */
	children?: ReactNode
	action?: ReactNode
}

export function EmptyState({title, children, action}: EmptyStateProps) {
	return (
		<div className={styles.empty}>
			<h2 className={styles.title}>{title}</h2>
			{children === undefined ? null : <div className={styles.text}>{children}</div>}
			{action === undefined ? null : <div className={styles.actions}>{action}</div>}
		</div>
	)
}

export interface ErrorStateProps {
	error: CordonError
	title?: string | undefined
	onRetry?: () => void
	/** An alternative to trying again. */
	remedy?: ReactNode
}

/** {@link ErrorState} instead of the screen: it shows the cause, and the frame does not repeat it. */
export function ScreenErrorState(props: ErrorStateProps) {
	return <ErrorState {...props} remedy={useTelling(props.error)?.(false)} />
}

/** A failure in words: what happened, what to do, the request id for the service's support, and *Try again*. */
export function ErrorState({error, title = 'Could not load this', onRetry, remedy}: ErrorStateProps) {
	const {requestId, service, fix} = error.details
	return (
		<div className={styles.empty} role="alert">
			<h2 className={styles.title}>{title}</h2>
			<div className={styles.text}>
				<p>
					<Reason error={error} without={requestId} />
				</p>
				{fix === undefined ? null : <p>{fix}</p>}
				{service === undefined || error.message.includes(service) ? null : (
					<p className="note">
						{t.theServiceSaid} {service}
					</p>
				)}
				{requestId === undefined ? null : (
					<p className="note">
						{t.request} <code className={styles.code}>{requestId}</code> <CopyButton text={requestId} what={t.requestId} />
					</p>
				)}
			</div>
			{onRetry === undefined && remedy == null ? null : (
				<div className={styles.actions}>
					{remedy}
					{onRetry === undefined ? null : <Button onPress={onRetry}>{t.tryAgain}</Button>}
				</div>
			)}
		</div>
	)
}
