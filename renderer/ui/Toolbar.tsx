import type {ReactNode} from 'react'
import {Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs} from 'react-aria-components'

import {Headline, type HeadlineProps} from './Headline.tsx'
import styles from './Toolbar.module.css'

/** Title line of a screen: heading, facts, and controls at the end. */
export function ScreenBar({
	title,
	within,
	facts,
	children,
}: {
	title: ReactNode
	/** For a screen about one object: the parent list, as for all objects. */
	within?: Pick<HeadlineProps, 'list' | 'href'>
	facts?: ReactNode
	children?: ReactNode
}) {
	return (
		<div className={styles.bar}>
			{within === undefined ? <h1 className={styles.title}>{title}</h1> : <Headline {...within} name={title} />}
			{facts === undefined ? null : <div className="note">{facts}</div>}
			<span className="spring" />
			{children}
		</div>
	)
}

/** A framed part of a screen with a small heading. */
export function Card({title, aside, children}: {title: string; aside?: ReactNode; children: ReactNode}) {
	return (
		<section className={styles.card} aria-label={title}>
			<h2 className={styles.cardTitle}>
				{title}
				<span className="spring" />
				{aside === undefined ? null : <span className={styles.aside}>{aside}</span>}
			</h2>
			{children}
		</section>
	)
}

export interface TabSpec {
	readonly id: string
	readonly title: string
	readonly content: ReactNode
}

export interface TabsProps {
	label: string
	tabs: readonly TabSpec[]
	selected: string
	onSelect: (id: string) => void
}

export function Tabs({label, tabs, selected, onSelect}: TabsProps) {
	return (
		<AriaTabs selectedKey={selected} onSelectionChange={key => onSelect(String(key))} className={styles.tabs ?? ''}>
			<TabList aria-label={label} className={styles.tabList ?? ''}>
				{tabs.map(tab => (
					<AriaTab key={tab.id} id={tab.id} className={styles.tab ?? ''}>
						{tab.title}
					</AriaTab>
				))}
			</TabList>
			{tabs.map(tab => (
				<TabPanel key={tab.id} id={tab.id} className={styles.panel ?? ''}>
					{tab.content}
				</TabPanel>
			))}
		</AriaTabs>
	)
}
