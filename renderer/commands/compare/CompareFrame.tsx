import {ArrowLeftRight} from 'lucide-react'
import type {ReactNode} from 'react'

import {IconButton} from '#ui/Button.tsx'
import {Link} from '#ui/Link.tsx'
import {Screen} from '#ui/Screen.tsx'
import {Checkbox} from '#ui/Toggle.tsx'
import {ScreenBar} from '#ui/Toolbar.tsx'
import {t} from '../text.ts'
import styles from './Compare.module.css'

interface CompareFrameProps {
	title: string
	list: {readonly href: string; readonly title: string}
	isAll: boolean
	onAll: (all: boolean) => void
	first: ReactNode
	second: ReactNode
	onExchange: () => void
	children: ReactNode
}

export function CompareFrame(props: CompareFrameProps) {
	return (
		<Screen scrolls>
			<ScreenBar title={props.title}>
				<Checkbox isSelected={props.isAll} onChange={props.onAll}>
					{t.showIdentical}
				</Checkbox>
				<Link href={props.list.href}>{props.list.title}</Link>
			</ScreenBar>
			<div className={styles.choices}>
				{props.first}
				<IconButton label={t.swap} onPress={props.onExchange}>
					<ArrowLeftRight size={14} />
				</IconButton>
				{props.second}
			</div>
			<div className={styles.body} tabIndex={0} role="region" aria-label={t.whatDiffers}>
				{props.children}
			</div>
		</Screen>
	)
}
