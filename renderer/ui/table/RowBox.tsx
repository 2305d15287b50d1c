import type {MouseEvent} from 'react'

import {cx} from '../cx.ts'
import styles from './RowBox.module.css'

interface RowBoxProps {
	isTicked: boolean
	/** Some rows of many. */
	isPartly?: boolean
	title?: string
	onPress: (event: MouseEvent) => void
}

/** The picture of a checkbox; the row itself tells its state, and is what the keyboard selects. */
export function RowBox({isTicked, isPartly = false, title, onPress}: RowBoxProps) {
	return (
		<span
			aria-hidden
			title={title}
			className={cx(styles.box, isTicked && styles.ticked, isPartly && styles.partly)}
			onClick={event => {
				event.stopPropagation()
				onPress(event)
			}}
		/>
	)
}
