import {Lock, Check, Copy} from 'lucide-react'
import {type ReactNode, type Ref, useEffect, useState, useRef} from 'react'
import {Button as AriaButton, Link as AriaLink} from 'react-aria-components'
import {managedSentence} from '#model/managed.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import styles from './Button.module.css'
import {cx} from './cx.ts'
import {useHeld} from './Held.tsx'
import {KeyCap} from './Tag.tsx'
import {Tooltip} from './Tooltip.tsx'
import {useAnnounce} from './Announcer.tsx'
import {t} from './text.ts'
import link from './Link.module.css'

export type ButtonTone = 'plain' | 'primary' | 'quiet' | 'danger' | 'hold'

interface ButtonProps {
	children: ReactNode
	onPress?: () => void
	/** `hold` is for isolation, `connection` for confirming a change, in the connection's colour. */
	tone?: ButtonTone
	small?: boolean
	isDisabled?: boolean
	/** Why it is disabled now. The button stays focusable and announces the reason. */
	reason?: string | null
	/** Why it is locked: changes are not allowed. Like `reason`, with a lock on the button. */
	lock?: string | null
	autoFocus?: boolean
	type?: 'button' | 'submit'
	tooltip?: string
	/** What to press instead, at its end. */
	keys?: string
	className?: string | undefined
	'aria-label'?: string
	'aria-expanded'?: boolean
	/** A dialog. */
	opens?: boolean
	'aria-controls'?: string
	ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
	const {
		children,
		onPress,
		tone = 'plain',
		small = false,
		reason = null,
		lock: given = null,
		tooltip,
		keys,
		className,
		type = 'button',
		opens = false,
		ref,
		...rest
	} = props
	const lock = useHeld() ? (given ?? `${managedSentence}.`) : given
	const why = lock ?? reason
	const locked = why !== null
	const announce = useAnnounce()
	const button = (
		<AriaButton
			{...rest}
			{...omitUndefined({ref})}
			{...(opens && {'aria-haspopup': 'dialog'})}
			{...(locked && {'aria-disabled': true})}
			type={locked ? 'button' : type}
			className={cx(styles.button, styles[tone], small ? styles.small : styles.medium, locked && styles.locked, className)}
			onPress={() => (locked ? announce(why) : onPress?.())}
		>
			{lock !== null && <Lock size={12} aria-hidden />}
			{children}
			{keys !== undefined && (
				<>
					{' '}
					<KeyCap keys={keys} />
				</>
			)}
		</AriaButton>
	)
	// A button that may get a reason later is wrapped from the start: a recreated button loses the focus.
	const mayTell = lock !== null || tooltip !== undefined || 'reason' in props || 'lock' in props
	return mayTell ? <Tooltip text={why ?? tooltip ?? null}>{button}</Tooltip> : button
}

/** A button in short: what it says and does, and why not now. */
export type Act = readonly [label: string, press: () => void, reason?: string | null, tone?: ButtonTone]

export function ActButton({act: [label, onPress, reason = null, tone], ...rest}: {act: Act} & Pick<ButtonProps, 'tone' | 'small'>) {
	return (
		<Button {...rest} {...{onPress, reason}} {...omitUndefined({tone})}>
			{label}
		</Button>
	)
}

interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'tooltip' | 'children'> {
	/** The icon; it is hidden from assistive technology. */
	children: ReactNode
	/** Name of the control, also shown as its tooltip. */
	label: string
}

export function IconButton({label, children, className, tone = 'quiet', ...rest}: IconButtonProps) {
	return (
		<Button {...rest} tone={tone} aria-label={label} tooltip={label} className={cx(styles.icon, className)}>
			<span className={styles.glyph} aria-hidden>
				{children}
			</span>
		</Button>
	)
}

interface CopyButtonProps {
	text: string
	/** Name of the copied value, such as `GUID`. */
	what: string
}

export function CopyButton({text, what}: CopyButtonProps) {
	const [copied, setCopied] = useState(false)
	const announce = useAnnounce()
	useEffect(() => {
		if (!copied) return
		const timer = setTimeout(() => setCopied(false), 1500)
		return () => clearTimeout(timer)
	}, [copied])
	const copy = async () => {
		const done = await writeClipboard(text)
		setCopied(done)
		announce(copiedWords(what, done))
	}
	return (
		<IconButton label={copied ? t.copied : t.copyOf(what)} small onPress={() => void copy()}>
			{copied ? <Check size={13} /> : <Copy size={13} />}
		</IconButton>
	)
}

export function useCopy(): (what: string, text: string) => void {
	const announce = useAnnounce()
	return (what, text) => void writeClipboard(text).then(done => announce(copiedWords(what, done)))
}

function copiedWords(what: string, done: boolean) {
	return done ? `${what.charAt(0).toUpperCase()}${what.slice(1)} copied` : `The ${what} could not be copied`
}

/** Puts text on the clipboard; `false` when the browser refused. */
export async function writeClipboard(text: string) {
	try {
		await navigator.clipboard.writeText(text)
		return true
	} catch {
		return false
	}
}

export interface LinkProps {
	children: ReactNode
	/** A route of this page, such as `/computers`; default: a button that looks like a link. */
	href?: string
	onPress?: () => void
	/** Beside buttons it looks like one. */
	look?: 'button'
	className?: string | undefined
	'aria-label'?: string
}

export function Link({children, className, look, onPress, ...rest}: LinkProps) {
	return (
		<AriaLink {...rest} {...omitUndefined({onPress})} className={cx(look === 'button' ? styles.button : link.link, className)}>
			{children}
		</AriaLink>
	)
}

interface FileButtonProps extends Pick<ButtonProps, 'children' | 'small' | 'autoFocus' | 'aria-label'> {
	/** Name of the field behind it. */
	label: string
	accept?: string
	/** What it is read into: once that changes, a failure is over. */
	value?: string
	/** Fails when the file cannot be read. */
	onFile: (file: File) => unknown
}

/** Asks for a file; the same one can be chosen again, once it was mended. */
export function FileButton({label, accept, value, onFile, ...button}: FileButtonProps) {
	const picker = useRef<HTMLInputElement>(null)
	const [failed, setFailed] = useState<{name: string; value: typeof value} | null>(null)
	if (failed !== null && failed.value !== value) setFailed(null)
	const read = async (file: File) => {
		setFailed(null)
		try {
			await onFile(file)
		} catch {
			setFailed({name: file.name, value})
		}
	}
	return (
		<>
			<Button {...button} onPress={() => picker.current?.click()} />
			<input
				ref={picker}
				type="file"
				accept={accept}
				hidden
				aria-label={label}
				onChange={event => {
					const [file] = event.target.files ?? []
					event.target.value = ''
					if (file !== undefined) void read(file)
				}}
			/>
			{failed !== null && (
				<p role="alert" className="fails wraps">
					{t.couldNotOpen(failed.name)}
				</p>
			)}
		</>
	)
}
