import type {InstanceDetail, ListStatus} from '#contract/instances.ts'
import {asSentence} from '#shared/sentence.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useAddress} from '#kit/use-address.ts'
import {Banner, EmptyState} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {KeyValue, type Fact, fact, copiedFact} from '#ui/Facts.tsx'
import {Time} from '#ui/Time.tsx'
import {Card} from '#ui/Screen.tsx'
import styles from './tabs.module.css'
import {t} from './text.ts'

/** Published and held content of the list service. */
export function ListTab({detail}: {detail: InstanceDetail}) {
	const {change} = useAddress('/instances/$id')
	const {list} = detail
	if (list === null) return <EmptyState title={t.nothingPublished}>{t.listBuiltWhen}</EmptyState>
	const publish = () => change({act: 'publish'})
	return (
		<div className={styles.tab}>
			{list.problem !== null && (
				<Banner tone="bad">
					{asSentence(list.problem)} {t.lastPublished}
				</Banner>
			)}
			{list.heldBack !== null && (
				<Banner
					tone="warning"
					action={
						<Button small onPress={publish} opens>
							{t.publishMore}
						</Button>
					}
				>
					{t.shrinkGuard(counted(list.heldBack.entries, nouns.value), formatCount(list.heldBack.lost))}
				</Banner>
			)}
			<Card title={t.published}>
				<KeyValue facts={factsOf(list)} />
			</Card>
		</div>
	)
}

function factsOf(list: ListStatus): readonly Fact[] {
	return [
		fact('Values', formatCount(list.entries)),
		fact('Dropped', `${formatCount(list.dropped)} that are not valid, twice there, never to be published, or too many`),
		fact('Built', <Time at={list.builtAt} unknown={t.notYet} focusable />),
		list.etag === null ? fact('ETag', '–', 'mono') : copiedFact('ETag', list.etag, t.eTag)
	]
}
