import {useRef, useState, type KeyboardEvent} from 'react'

import styles from './Figure.module.css'
import type {PictureHandle, Place} from './Picture.tsx'

interface PictureItem {
	readonly key: string
	/** Name and amount, in words. */
	readonly name: string
	readonly place: Place
	readonly onOpen?: (() => void) | undefined
}

interface ItemsProps {
	label: string
	items: readonly PictureItem[]
	picture: {current: PictureHandle | null}
}

/** The objects of a chart as one tab stop: arrow keys move between them, Enter opens. */
export function Items({label, items, picture}: ItemsProps) {
	const list = useRef<HTMLUListElement>(null)
	const [active, setActive] = useState(0)
	const current = Math.min(active, items.length - 1)
	const move = (event: KeyboardEvent) => {
		const next = targetOf(event.key, current, items.length)
		if (next === null) return
		event.preventDefault()
		event.stopPropagation()
		setActive(next)
		list.current?.querySelectorAll('button')[next]?.focus()
	}
	return (
		<ul ref={list} className={styles.items} aria-label={label}>
			{items.map(({key, name, place, onOpen}, index) => (
				<li key={key}>
					<button
						type="button"
						className={styles.item}
						tabIndex={index === current ? 0 : -1}
						onClick={onOpen}
						onKeyDown={move}
						onFocus={() => {
							setActive(index)
							picture.current?.point(place)
						}}
						onBlur={() => picture.current?.point(null)}
					>
						{name}
					</button>
				</li>
			))}
		</ul>
	)
}

function targetOf(key: string, current: number, count: number) {
	switch (key) {
		case 'ArrowLeft':
		case 'ArrowUp':
			return Math.max(0, current - 1)
		case 'ArrowRight':
		case 'ArrowDown':
			return Math.min(count - 1, current + 1)
		case 'Home':
			return 0
		case 'End':
			return count - 1
		default:
			return null
	}
}
