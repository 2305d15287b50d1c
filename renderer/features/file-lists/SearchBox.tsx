import {Search, X} from 'lucide-react'
import {useRef, useState, type Ref} from 'react'

import {useSent} from '#commands/filter/use-late-address.ts'
import {IconButton} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {useTimer} from '#ui/use-timer.ts'
import styles from './FileLists.module.css'
import {t} from './text.ts'

interface SearchBoxProps {
	label: string
	placeholder: string
	value: string
	onChange: (text: string) => void
	inputRef: Ref<HTMLInputElement>
	/** Enter: go to the results. */
	onLeave?: () => void
}

/** Minimum time between queries while typing (ms); the first is immediate. */
const pauseMs = 120

/** A field that searches while typing. */
export function SearchBox({label, placeholder, value, onChange, inputRef, onLeave}: SearchBoxProps) {
	const [text, setText] = useState(value)
	const timer = useTimer()
	const askedAt = useRef(-Infinity)
	const send = useSent(value, onChange, setText)
	const tell = (next: string) => {
		timer.stop()
		askedAt.current = performance.now()
		send(next)
	}
	const type = (next: string) => {
		setText(next)
		const wait = askedAt.current + pauseMs - performance.now()
		if (wait <= 0) tell(next)
		else timer.start(wait, () => tell(next))
	}
	const clear = () => {
		setText('')
		tell('')
	}
	return (
		<div className={cx('entry', styles.search)}>
			<Search size={14} aria-hidden />
			<input
				ref={inputRef}
				type="search"
				aria-label={label}
				placeholder={placeholder}
				autoComplete="off"
				spellCheck={false}
				value={text}
				onChange={event => type(event.target.value)}
				onKeyDown={event => {
					if (event.nativeEvent.isComposing) return
					if (event.key === 'Enter') {
						tell(text)
						onLeave?.()
					} else if (event.key === 'Escape' && text !== '') clear()
					else if (event.key === 'Escape' && onLeave !== undefined) onLeave()
					else return
					event.preventDefault()
					event.stopPropagation()
				}}
			/>
			{text !== '' && (
				<IconButton label={t.clear(label)} small onPress={clear}>
					<X size={12} />
				</IconButton>
			)}
		</div>
	)
}
