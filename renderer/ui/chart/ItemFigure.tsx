import {useRef, useState, type KeyboardEvent} from 'react'

import styles from './Figure.module.css'
import {Figure, type FigureProps} from './Figure.tsx'
import type {PictureHandle, Place} from './Picture.tsx'

interface PictureItem {
	key: string
	/** Name and amount, in words. */
	name: string
	place: Place
	onOpen?: (() => void) | undefined
}

interface ItemFigureProps extends Omit<FigureProps, 'over' | 'handle' | 'stage'> {
	items: readonly PictureItem[]
}

/** A chart of objects: a click opens one, and so does its button over the canvas. */
export function ItemFigure({items, ...figure}: ItemFigureProps) {
	const picture = useRef<PictureHandle>(null)
	const open = ({series, index}: Place) => items.find(({place}) => place.series === series && place.index === index)?.onOpen?.()
	return <Figure onPick={open} {...figure} handle={picture} over={<Items label={figure.title} picture={picture} items={items} />} />
}

interface ItemsProps extends Pick<ItemFigureProps, 'items'> {
	label: string
	picture: {current: PictureHandle | null}
}

/** The objects of a chart as one tab stop: arrow keys move between them, Enter opens. */
function Items({label, items, picture}: ItemsProps) {
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
