import type {ReactNode} from 'react'

import {cx} from '#ui/cx.ts'

interface OptionProps {
	id: string
	isPicked: boolean
	label: string
	detail: string
	/** What is typed, rather than a title. */
	isCode?: boolean
	onTake: () => void
	className?: string | undefined
	children?: ReactNode
}

/** One line of a list below a field, which keeps the focus. */
export function Option({id, isPicked, label, detail, isCode = false, onTake, className, children}: OptionProps) {
	return (
		<div
			id={id}
			role="option"
			aria-selected={isPicked}
			className={cx('option', className)}
			onMouseDown={event => event.preventDefault()}
			onClick={onTake}
		>
			<span className={cx('cut', isCode && 'hashes')}>{label}</span>
			<span className="cut note">{detail}</span>
			{children}
		</div>
	)
}
