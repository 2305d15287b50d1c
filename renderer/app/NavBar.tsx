import {Link as RouterLink, useRouterState} from '@tanstack/react-router'
import {Button as AriaButton} from 'react-aria-components'

import {type ScreenLine, screens} from '#model/screens.ts'
import {useUi} from '#state/ui.tsx'
import styles from './NavBar.module.css'
import {parts} from './screens.ts'
import {t} from './text.ts'

const sections = [
	['data', null],
	['operations', t.operations],
	['setup', t.setup]
] as const

export function NavBar() {
	return (
		<nav className={styles.nav} aria-label={t.screens}>
			{sections.map(([section, heading]) => (
				<Section key={section} heading={heading} lines={screens.filter(screen => screen.section === section)} />
			))}
		</nav>
	)
}

function Section({heading, lines}: {heading: string | null; lines: readonly ScreenLine[]}) {
	return (
		<>
			{heading !== null && <span className={styles.section}>{heading}</span>}
			{lines.map(line => (
				<NavLine key={line.id} {...line} />
			))}
		</>
	)
}

function NavLine({id, path, title}: ScreenLine) {
	const isDrawerOpen = useUi(ui => ui.isDrawerOpen)
	const setDrawer = useUi(ui => ui.setDrawer)
	// On its own screen, the drawer at the foot is hidden.
	const opensDrawer = useRouterState({select: ({location}) => id === 'commandLine' && location.pathname !== path})
	const {Icon, Count} = parts.find(part => part.id === id) ?? {}
	const inside = (
		<>
			{Icon !== undefined && <Icon size={16} strokeWidth={1.6} aria-hidden />}
			<span className={styles.title}>{title}</span>
			{Count !== undefined && <Count />}
		</>
	)
	return opensDrawer ? (
		<AriaButton className={styles.item ?? ''} aria-expanded={isDrawerOpen} onPress={() => setDrawer(!isDrawerOpen)}>
			{inside}
		</AriaButton>
	) : (
		<RouterLink to={path} className={styles.item ?? ''} activeProps={{'aria-current': 'page'}} title={title}>
			{inside}
		</RouterLink>
	)
}
