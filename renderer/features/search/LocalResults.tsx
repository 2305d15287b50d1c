import {Fingerprint, FileCode2, Globe, Layers, Link2, ListTree, Monitor, NotebookText, Scale, ShieldBan, User} from 'lucide-react'
import type {ComponentType} from 'react'

import type {SearchGroup, SearchKind, SearchResults} from '#contract/search.ts'
import {formatCount} from '#text/numbers.ts'

import {EmptyState} from '#ui/States.tsx'
import {Link} from '#ui/Button.tsx'
import styles from './LocalResults.module.css'
import {t} from './text.ts'

interface LocalResultsProps {
	results: SearchResults
	onOpen: () => void
}

export function LocalResults({results, onOpen}: LocalResultsProps) {
	const {groups, computers, events} = results
	if (groups.length === 0) {
		const unread = computers.count === 0 || events.count === 0
		return (
			<EmptyState title={t.noLocalResults}>
				{t.noMatchComputers(
					formatCount(computers.count),
					formatCount(events.count),
					unread ? t.someDataNot : '',
					results.offers.length > 0 ? t.queryService : ''
				)}
			</EmptyState>
		)
	}
	return groups.map(group => <Group key={`${group.kind} ${group.title}`} group={group} onOpen={onOpen} />)
}

type Icon = ComponentType<{size?: number; strokeWidth?: number; 'aria-hidden'?: boolean}>

const icons: Readonly<Record<SearchKind, Icon>> = {
	computer: Monitor,
	user: User,
	hash: Fingerprint,
	file: FileCode2,
	ip: Globe,
	url: Link2,
	group: Layers,
	policy: Scale,
	file_list: ShieldBan,
	event: ListTree,
	log: NotebookText
}

const mono: ReadonlySet<SearchKind> = new Set<SearchKind>(['hash', 'ip', 'url'])

function Group({group, onOpen}: {group: SearchGroup; onOpen: () => void}) {
	const {kind, title, count, exact, hits, open} = group
	const Shape = icons[kind]
	const all = `${exact ? '' : '≥ '}${formatCount(count)}`
	return (
		<section className={styles.group} aria-label={title}>
			<h2 className={styles.title}>
				<Shape size={14} strokeWidth={1.7} aria-hidden />
				{title}
				<span className={styles.count}>{all}</span>
				<span className="spring" />
				{open === null || (hits.length === count && exact && count === 1) ? null : (
					<Link href={open} onPress={onOpen} aria-label={t.openAll(title)} className={styles.open}>
						{t.openAllInline}
					</Link>
				)}
			</h2>
			<ul className="unlisted">
				{hits.map(hit => (
					<li key={hit.key} data-hit className={styles.hit}>
						<Link href={hit.open} onPress={onOpen} className={styles[mono.has(kind) ? 'mono' : 'label']}>
							{hit.label}
						</Link>
						<span className={styles.detail}>{hit.detail}</span>
					</li>
				))}
			</ul>
		</section>
	)
}
