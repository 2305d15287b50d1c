import type {ReactNode, Ref} from 'react'
import {cx} from './cx.ts'
import styles from './Screen.module.css'
import {Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs} from 'react-aria-components'
import bar from './Toolbar.module.css'
import headline from './Headline.module.css'
import {Link} from './Button.tsx'

interface ScreenProps {
	children: ReactNode
	/** At 200% zoom the whole screen scrolls, and its body keeps a minimum height. */
	scrolls?: boolean
	screenRef?: Ref<HTMLDivElement>
}

/** A screen, from its title bar down. */
export function Screen({children, scrolls = false, screenRef}: ScreenProps) {
	return (
		<div ref={screenRef} className={cx(styles.screen, scrolls && styles.scrolls)}>
			{children}
		</div>
	)
}

/** The content below the bars: a list between its facets and the side panel. */
export function ScreenBody({children}: {children: ReactNode}) {
	return <div className={styles.body}>{children}</div>
}

/** The list with its chart above. */
export function ScreenMain({children}: {children: ReactNode}) {
	return <div className={styles.main}>{children}</div>
}

/** Title line of a screen: heading, facts, and controls at the end. */
export function ScreenBar({
	title,
	within,
	facts,
	children
}: {
	title: ReactNode
	/** For a screen about one object: the parent list, as for all objects. */
	within?: Pick<HeadlineProps, 'list' | 'href'>
	facts?: ReactNode
	children?: ReactNode
}) {
	return (
		<div className={bar.bar}>
			{within === undefined ? <h1 className={bar.title}>{title}</h1> : <Headline {...within} name={title} />}
			{facts !== undefined && <div className="note">{facts}</div>}
			<span className="spring" />
			{children}
		</div>
	)
}

/** A framed part of a screen with a small heading. */
export function Card({title, aside, children}: {title: string; aside?: ReactNode; children: ReactNode}) {
	return (
		<section className={bar.card} aria-label={title}>
			<h2 className={bar.cardTitle}>
				{title}
				<span className="spring" />
				{aside !== undefined && <span className={bar.aside}>{aside}</span>}
			</h2>
			{children}
		</section>
	)
}

export interface TabSpec {
	id: string
	title: string
	content: ReactNode
}

interface TabsProps {
	label: string
	tabs: readonly TabSpec[]
	selected: string
	onSelect: (id: string) => void
}

export function Tabs({label, tabs, selected, onSelect}: TabsProps) {
	return (
		<AriaTabs selectedKey={selected} onSelectionChange={key => onSelect(String(key))} className={bar.tabs ?? ''}>
			<TabList aria-label={label} className={bar.tabList ?? ''}>
				{tabs.map(tab => (
					<AriaTab key={tab.id} id={tab.id} className={bar.tab ?? ''}>
						{tab.title}
					</AriaTab>
				))}
			</TabList>
			{tabs.map(tab => (
				<TabPanel key={tab.id} id={tab.id} className={bar.panel ?? ''}>
					{tab.content}
				</TabPanel>
			))}
		</AriaTabs>
	)
}

interface HeadlineProps {
	/** The parent list, such as `Groups`, and its address. */
	list: string
	href: string
	name: ReactNode
	/** Tags after the name. */
	children?: ReactNode
}

/** The label of the back link: a screen in running text, an object by its own name. */
function backWords(list: string, href: string) {
	return /^\/[^/]+$/.test(href) ? `Back to the ${list.toLowerCase()}` : `Back to ${list}`
}

/** First line of a screen about one object. */
export function Headline({list, href, name, children}: HeadlineProps) {
	return (
		<div className={headline.headline}>
			<Link href={href} aria-label={backWords(list, href)}>
				{list}
			</Link>
			<span aria-hidden> ▸ </span>
			<h1 className={headline.name} title={typeof name === 'string' ? name : undefined}>
				{name}
			</h1>
			{children}
		</div>
	)
}
