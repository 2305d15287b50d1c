import {ArrowLeftRight} from 'lucide-react'
import type {ReactNode} from 'react'

import {IconButton, Link} from '#ui/Button.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Checkbox} from '#ui/Field.tsx'
import {t} from '../text.ts'
import styles from './Compare.module.css'

interface CompareFrameProps {
	title: string
	list: {href: string; title: string}
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
