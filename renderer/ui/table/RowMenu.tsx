import {type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState} from 'react'
import {Popover} from 'react-aria-components'
import {flushSync} from 'react-dom'

import {useCopy, type Act} from '../Button.tsx'
import {entryOf, MenuItems} from '../Menu.tsx'
import styles from '../Menu.module.css'
import {t} from '../text.ts'

export interface RowActs {
	/** The row, or the selection that is acted on. */
	title: string
	acts: readonly Act[]
	/** Texts to copy, by what they are. */
	copies: readonly (readonly [what: string, text: string])[]
	/** The acts apply to the selection: the menu opens no single row. */
	isOfSelection?: boolean
}

interface Opened {
	x: number
	y: number
	title: string
	groups: readonly (readonly Act[])[]
}

/** The context menu of a row, for the pointer and at the cursor. `actsOf` moves the cursor to the row; `null` without a menu. */
export function useRowMenu(
	list: RefObject<HTMLElement | null>,
	at: number,
	actsOf: (index: number) => {own: RowActs; first: readonly Act[]} | null
) {
	const [opened, setOpened] = useState<Opened | null>(null)
	const copy = useCopy()
	const anchor = useRef<HTMLSpanElement>(null)
	const copied = ([what, text]: RowActs['copies'][number]): Act => [t.copyOf(what), () => copy(what, text)]
	const show = (x: number, y: number, index: number) => {
		const found = index < 0 ? null : actsOf(index)
		if (found === null) return false
		const {own, first} = found
		const groups = [own.isOfSelection === true ? [] : first, own.acts, own.copies.map(copied)]
		setOpened({x, y, title: own.title, groups: groups.filter(({length}) => length > 0)})
		return true
	}
	const run = (id: string) => {
		const [group, place] = id.split('.').map(Number)
		// A dialog gives the focus back to where it was.
		flushSync(() => setOpened(null))
		list.current?.focus()
		opened?.groups[group ?? -1]?.[place ?? -1]?.[1]()
	}
	return {
		onContextMenu: (event: MouseEvent<HTMLElement>) => {
			const row = event.target instanceof Element ? event.target.closest('[role="row"][aria-rowindex]') : null
			// Without a row and a button it is the menu key.
			const index = row === null ? (event.button === 2 ? -1 : at) : Number(row.getAttribute('aria-rowindex')) - 2
			if (show(event.clientX, event.clientY, index)) event.preventDefault()
		},
		/** Returns whether the key opened the menu. */
		press: ({key, shiftKey, currentTarget}: KeyboardEvent<HTMLElement>) => {
			if (key !== 'F10' || !shiftKey) return false
			const row = currentTarget.querySelector(`[aria-rowindex="${at + 2}"]`)?.getBoundingClientRect()
			return row !== undefined && show(row.left + 40, row.bottom, at)
		},
		menu: opened && (
			<>
				<span ref={anchor} style={{position: 'fixed', left: opened.x, top: opened.y}} />
				<Popover
					isOpen
					onOpenChange={() => setOpened(null)}
					triggerRef={anchor}
					placement="bottom start"
					offset={0}
					className={styles.popover ?? ''}
				>
					<MenuItems
						label={opened.title}
						groups={opened.groups.map((acts, group) => ({
							...(group === 0 && {title: opened.title}),
							entries: acts.map((act, place) => entryOf(`${group}.${place}`, act))
						}))}
						onAction={run}
					/>
				</Popover>
			</>
		)
	}
}
