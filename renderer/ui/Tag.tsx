import {X} from 'lucide-react'
import type {ReactNode} from 'react'
import {Button as AriaButton} from 'react-aria-components'
import {cx} from './cx.ts'
import styles from './Tag.module.css'
import cap from './KeyCap.module.css'

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'hold' | 'accent'

/** A word about an object, such as *compromised*. */
export function Tag({tone = 'plain', children}: {tone?: Tone; children: ReactNode}) {
	return <span className={cx(styles.tag, styles[tone])}>{children}</span>
}

export interface Look {
	tone: Tone
	/** Says the same without colour. */
	shape: string
	word: string
}

export function LookTag({tone, shape, word}: Look) {
	return (
		<Tag tone={tone}>
			<span aria-hidden>{shape}</span> {word}
		</Tag>
	)
}

interface ChipProps {
	/** The condition's field, such as `group`. */
	name?: string
	children: ReactNode
	tone?: 'plain' | 'accent'
	onPress?: () => void
	onRemove?: () => void
	/** Description of the remove button, for assistive technology. */
	removeLabel?: string
}

/** A condition or fact in a round frame, optionally removable. */
export function Chip({name, children, tone = 'plain', onPress, onRemove, removeLabel = 'Remove'}: ChipProps) {
	const content = (
		<>
			{name !== undefined && <span className="dim">{name}</span>}
			{children}
		</>
	)
	return (
		<span className={cx(styles.chip, tone === 'accent' && styles.chipAccent)}>
			{onPress === undefined ? (
				<span className={styles.content}>{content}</span>
			) : (
				<AriaButton className={cx(styles.content)} onPress={onPress}>
					{content}
				</AriaButton>
			)}
			{onRemove !== undefined && (
				<AriaButton className={cx(styles.remove)} aria-label={removeLabel} onPress={onRemove}>
					<X size={12} aria-hidden />
				</AriaButton>
			)}
		</span>
	)
}

/** Keys to press: `Ctrl+K` is one cap, `g c` are two in sequence. */
export function KeyCap({keys}: {keys: string}) {
	const caps = keys.split(' ')
	return (
		<span className={cap.keys}>
			{caps.map((key, at) => (
				// `g g` has the same cap twice.
				<kbd key={caps.slice(0, at + 1).join(' ')} className={cap.cap}>
					{key.replaceAll('+', ' ').trim() || '+'}
				</kbd>
			))}
		</span>
	)
}
