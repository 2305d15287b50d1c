import {type ReactNode, useLayoutEffect, useRef} from 'react'
import {CircleAlert, Info, TriangleAlert} from 'lucide-react'

import {CordonError, type ErrorReport} from '#contract/errors.ts'
import {asSentence} from '#shared/sentence.ts'
import {Button, type Act, ActButton, CopyButton, Link} from './Button.tsx'
import styles from './EmptyState.module.css'
import {useTelling} from './Telling.tsx'
import {t} from './text.ts'
import banner from './Banner.module.css'
import {cx} from './cx.ts'
import {keepFocus} from './list-of-screen.ts'
import skeleton from './Skeleton.module.css'
import {curlOf, withoutRequest} from './error-words.ts'
import {Time} from './Time.tsx'

interface EmptyStateProps {
	title: string
	/** Why it is empty, and the next step. */
	children?: ReactNode
	action?: ReactNode
	/** Instead of them a link, by its address, or a button. */
	to?: readonly [href: string, words: string]
	act?: Act
}

export function EmptyState({
	title,
	children,
	to,
	act,
	action = to ? <Link href={to[0]}>{to[1]}</Link> : act && <ActButton act={act} />
}: EmptyStateProps) {
	return (
		<div className={styles.empty}>
			<h2 className={styles.title}>{title}</h2>
			{children !== undefined && <div className={styles.text}>{children}</div>}
			{action !== undefined && <div className={styles.actions}>{action}</div>}
		</div>
	)
}

interface ErrorStateProps {
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

export function LocalDataError(props: Pick<ErrorStateProps, 'error' | 'onRetry'>) {
	return <ErrorState {...props} title={t.couldNotLoadLocalData} />
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
				{fix !== undefined && <p>{fix}</p>}
				{service !== undefined && !error.message.includes(service) && (
					<p className="note">
						{t.theServiceSaid} {service}
					</p>
				)}
				{requestId !== undefined && (
					<p className="note">
						{t.request} <code className={styles.code}>{requestId}</code> <CopyButton text={requestId} what={t.requestId} />
					</p>
				)}
			</div>
			{onRetry === undefined && remedy == null ? null : (
				<div className={styles.actions}>
					{remedy}
					{onRetry !== undefined && <Button onPress={onRetry}>{t.tryAgain}</Button>}
				</div>
			)}
		</div>
	)
}

type BannerTone = 'info' | 'warning' | 'bad'

const icons = {info: Info, warning: TriangleAlert, bad: CircleAlert} as const
const words = {info: 'Note', warning: 'Warning', bad: 'Problem'} as const

interface BannerProps {
	tone?: BannerTone
	children: ReactNode
	/** Buttons or links, at the end. */
	action?: ReactNode
	/** A button after them. */
	act?: Act
}

/** A line that stays until its cause is resolved. Announced when it appears. */
export function Banner({tone = 'info', children, action, act}: BannerProps) {
	const Icon = icons[tone]
	const root = useRef<HTMLDivElement>(null)
	// Its action often removes it together with the focused button.
	useLayoutEffect(() => {
		const element = root.current
		return () => {
			if (element?.contains(document.activeElement) === true) requestAnimationFrame(keepFocus)
		}
	}, [])
	return (
		<div ref={root} className={cx(banner.banner, banner[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
			<Icon size={15} className={banner.icon} role="img" aria-label={words[tone]} />
			<div className={banner.text}>{children}</div>
			{action === undefined && act === undefined ? null : (
				<div className={banner.action}>
					{action}
					{act !== undefined && <ActButton act={act} small />}
				</div>
			)}
		</div>
	)
}

/** A grey bar in place of a loading text. `width` is any CSS length. */
export function Skeleton({width = '60%', height = 10}: {width?: string; height?: number}) {
	return <span className={skeleton.bar} style={{width, height}} aria-hidden />
}

/** A few lines of loading text, announced once. */
export function SkeletonLines({lines = 3, label = 'Loading'}: {lines?: number | undefined; label?: string | undefined}) {
	return (
		<div className={skeleton.lines} role="status" aria-label={label}>
			{Array.from({length: lines}, (_, index) => (
				<Skeleton key={index} width={`${88 - ((index * 23) % 48)}%`} />
			))}
		</div>
	)
}

/** A screen of one object, before it is there. */
export function LoadingScreen({label}: {label: string}) {
	return (
		<div className="loading">
			<SkeletonLines lines={10} label={label} />
		</div>
	)
}

interface UnloadedProps {
	/** A query of the host. */
	of: {error: CordonError | null; refetch(): unknown}
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
	of: UnloadedProps['of'] & {data: T | undefined}
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

interface ReasonProps {
	error: CordonError | ErrorReport | null | undefined
	/** Default text for an unknown reason. */
	otherwise?: string
	/** A request id shown separately. */
	without?: string | undefined
}

/**
 * Why something failed, as a sentence, and a failed read as a command line for testing elsewhere. An exhausted API limit shows
 * its reset time once, in the operator's time zone.
 */
export function Reason({error, otherwise = 'no answer', without}: ReasonProps) {
	const {retryAt, asked} = (error instanceof CordonError ? error.details : error) ?? {}
	if (error?.code !== 'rate_limited' || retryAt === undefined)
		return (
			<>
				{asSentence(withoutRequest(error?.message ?? otherwise, without))}
				{asked !== undefined && (
					<>
						{' '}
						<CopyButton text={curlOf(asked)} what={t.requestCURL} />
					</>
				)}
			</>
		)
	return (
		<>
			{t.apiLimitReached} <Time at={retryAt} form="clock" focusable />.
		</>
	)
}

interface FailureBannerProps extends BannerProps {
	error: CordonError | ErrorReport | null
}

/** Above earlier rows: why there are no newer ones. The frame then does not report it. */
export function FailureBanner({error, tone = 'warning', action, children, ...rest}: FailureBannerProps) {
	const remedy = useTelling(error)
	return (
		<Banner
			{...rest}
			tone={tone}
			action={
				<>
					{remedy?.(true)}
					{action}
				</>
			}
		>
			{children}
		</Banner>
	)
}
