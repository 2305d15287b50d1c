import {Check, ChevronDown, Ellipsis} from 'lucide-react'
import {Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover} from 'react-aria-components'

import {type Act, Button, IconButton} from './Button.tsx'
import styles from './Menu.module.css'
import {t} from './text.ts'

interface MenuEntry {
	id: string
	label: string
	detail?: string | undefined
	/** Marks the present choice. */
	isChecked?: boolean
	isDisabled?: boolean
}

export interface MenuGroup {
	/** Default: no heading. */
	title?: string
	entries: readonly MenuEntry[]
}

interface MenuProps {
	label: string
	groups: readonly MenuGroup[]
	onAction: (id: string) => void
	/** Controlled by the caller, so that a shortcut can open it. */
	isOpen: boolean
	onOpenChange: (open: boolean) => void
}

export function Menu({label, groups, onAction, isOpen, onOpenChange}: MenuProps) {
	return (
		<MenuTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
			<Button>
				{label}
				<ChevronDown size={13} aria-hidden className={styles.chevron} />
			</Button>
			<Popover className={styles.popover ?? ''} offset={4}>
				<MenuItems {...{label, groups, onAction}} />
			</Popover>
		</MenuTrigger>
	)
}

export function MoreMenu({label, acts}: {label: string; acts: readonly Act[]}) {
	return (
		<MenuTrigger>
			<IconButton label={label} small>
				<Ellipsis size={14} />
			</IconButton>
			<Popover className={styles.popover ?? ''} placement="bottom end" offset={4}>
				<MenuItems
					label={label}
					groups={[{entries: acts.map((act, place) => entryOf(String(place), act))}]}
					onAction={id => acts[Number(id)]?.[1]()}
				/>
			</Popover>
		</MenuTrigger>
	)
}

export function entryOf(id: string, [label, , refusal]: Act): MenuEntry {
	return {id, label, detail: refusal ?? undefined, isDisabled: refusal != null}
}

export function MenuItems({label, groups, onAction}: Pick<MenuProps, 'label' | 'groups' | 'onAction'>) {
	return (
		<AriaMenu aria-label={label} autoFocus="first" className={styles.menu ?? ''} onAction={key => onAction(String(key))}>
			{groups.map((group, place) => (
				<MenuSection key={group.title ?? place} className={styles.section ?? ''} {...(group.title === undefined && {'aria-label': label})}>
					{group.title !== undefined && <Header className={styles.heading ?? ''}>{group.title}</Header>}
					{group.entries.map(entry => (
						<Item key={entry.id} entry={entry} />
					))}
				</MenuSection>
			))}
		</AriaMenu>
	)
}

function Item({entry: {id, label, detail, isChecked = false, isDisabled = false}}: {entry: MenuEntry}) {
	return (
		<MenuItem id={id} isDisabled={isDisabled} textValue={label} className={styles.item ?? ''}>
			<span className="accent" aria-hidden>
				{isChecked && <Check size={13} />}
			</span>
			<span className="wraps">
				{label}
				{isChecked ? t.nowTitle : ''}
			</span>
			{detail !== undefined && <span className={styles.detail}>{detail}</span>}
		</MenuItem>
	)
}
