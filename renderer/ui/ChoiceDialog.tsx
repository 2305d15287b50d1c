import {ListBox, ListBoxItem} from 'react-aria-components'

import styles from './ChoiceDialog.module.css'
import {cx} from './cx.ts'
import {Dialog} from './Dialog.tsx'

export interface Choice {
	id: string
	title: string
	/** The effect of the choice, beside or below the title. */
	detail: string
	/** Follows the title, such as "(current)". */
	mark?: string
	isCurrent?: boolean
	/** A colour of the stylesheet, shown before both. */
	swatch?: string
}

interface ChoiceDialogProps {
	title: string
	label: string
	choices: readonly Choice[]
	/** `beside`: a few words. `under`: one line, truncated. `code`: the same in monospace. */
	details: 'beside' | 'under' | 'code'
	onChoose: (id: string) => void
	onClose: () => void
}

/** A small list: arrow keys move, Enter or a click chooses and closes. */
export function ChoiceDialog({title, label, choices, details, onChoose, onClose}: ChoiceDialogProps) {
	return (
		<Dialog title={title} onClose={onClose} size="small" cancel>
			<ListBox
				aria-label={label}
				autoFocus="first"
				className={cx(styles.list)}
				onAction={key => {
					onChoose(String(key))
					onClose()
				}}
			>
				{choices.map(choice => (
					<Item key={choice.id} choice={choice} details={details} />
				))}
			</ListBox>
		</Dialog>
	)
}

function Item({choice, details}: {choice: Choice} & Pick<ChoiceDialogProps, 'details'>) {
	const {id, title, detail, mark = '', isCurrent = false, swatch} = choice
	return (
		<ListBoxItem id={id} textValue={title} className={cx(styles.item, isCurrent && styles.current)}>
			{swatch !== undefined && <span className={styles.swatch} style={{background: swatch}} aria-hidden />}
			<span className={styles[details]}>
				<span className={styles.title}>{`${title}${mark}`}</span>
				<span className={styles.detail}>{detail}</span>
			</span>
		</ListBoxItem>
	)
}
