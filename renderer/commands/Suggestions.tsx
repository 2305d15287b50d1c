import {useEffect, useRef} from 'react'

import {Option} from './Option.tsx'
import styles from './Suggestions.module.css'

export interface Suggested {
	id: string
	label: string
	detail: string
}

interface SuggestionsProps {
	id: string
	label: string
	items: readonly Suggested[]
	picked: number
	onTake: (index: number) => void
}

export function Suggestions({id, label, items, picked, onTake}: SuggestionsProps) {
	const list = useRef<HTMLDivElement>(null)
	useEffect(() => {
		list.current?.children[picked]?.scrollIntoView({block: 'nearest'})
	}, [picked])
	return (
		<div ref={list} id={id} role="listbox" aria-label={label} className={styles.list}>
			{items.map((item, index) => (
				<Option key={item.id} {...item} id={`${id}-${index}`} isPicked={index === picked} isCode onTake={() => onTake(index)} />
			))}
		</div>
	)
}
