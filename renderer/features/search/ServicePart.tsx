import {useRef} from 'react'

import type {ActivityOffer} from '#contract/search.ts'
import type {ActivityKind, Indicator} from '#model/indicator.ts'

import {Button} from '#ui/Button.tsx'
import {KeyCap} from '#ui/Tag.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {ActivityResult} from './ActivityResult.tsx'
import type {SearchSearch} from './search.ts'
import styles from './ServicePart.module.css'
import {t} from './text.ts'
import {useActivity, type Activity} from './use-activity.ts'
import {priceOf, questionWords} from './words.ts'

interface ServicePartProps {
	text: string
	indicator: Indicator
	offers: readonly ActivityOffer[]
	hasEvents: boolean
	search: SearchSearch
	onChange: (next: Partial<SearchSearch>) => void
	onAsk: () => void
}

/** The possible queries to the service, with their cost, and the answer. */
export function ServicePart({text, indicator, offers, hasEvents, search, onChange, onAsk}: ServicePartProps) {
	const activity = useActivity(text, offers.some(({kind}) => kind === 'activity') ? 'activity' : null)
	const user = useActivity(text, offers.some(({kind}) => kind === 'user') ? 'user' : null)
	const buttons = useRef<HTMLDivElement>(null)
	useKey('search.ask', () => buttons.current?.querySelector('button')?.focus(), offers.length > 0)
	if (offers.length === 0) return null
	const of = (kind: ActivityKind) => (kind === 'user' ? user : activity)
	const known = offers.filter(({kind}) => isKnown(of(kind)))
	const shown = known.find(({kind}) => kind === search.ask) ?? known[0]
	const ask = (kind: ActivityKind) => {
		onAsk()
		onChange({ask: kind, show: undefined})
		of(kind).ask(false)
	}
	return (
		<section className={styles.service} aria-label={t.theService} data-answered={shown !== undefined}>
			<div className={styles.questions} ref={buttons}>
				<h2 className={styles.title}>{t.queryTheService}</h2>
				{offers.map((offer, place) => (
					<Question
						key={offer.kind}
						offer={offer}
						indicator={indicator}
						activity={of(offer.kind)}
						isFirst={place === 0}
						isShown={known.length > 1 && shown?.kind === offer.kind}
						onAsk={() => ask(offer.kind)}
						onShow={known.length > 1 && shown?.kind !== offer.kind ? () => onChange({ask: offer.kind}) : null}
					/>
				))}
			</div>
			{shown !== undefined && (
				<ActivityResult
					key={shown.kind}
					activity={of(shown.kind)}
					indicator={indicator}
					hasEvents={hasEvents}
					show={search.show ?? 'all'}
					onShow={show => onChange({show: show === 'all' ? undefined : show})}
				/>
			)}
		</section>
	)
}

function isKnown({answer, isAsking, error}: Activity) {
	return isAsking || error !== null || (answer !== null && answer !== undefined)
}

interface QuestionProps {
	offer: ActivityOffer
	indicator: Indicator
	activity: Activity
	/** Target of the key. */
	isFirst: boolean
	isShown: boolean
	onAsk: () => void
	/** Shows its answer instead of the other; `null` without one. */
	onShow: (() => void) | null
}

function Question({offer, indicator, activity, isFirst, isShown, onAsk, onShow}: QuestionProps) {
	const {answer, isAsking} = activity
	const words = questionWords(offer.kind, indicator)
	const asked = answer !== null && answer !== undefined
	return (
		<div className="cluster" role="group" aria-label={words}>
			<span className={styles.words}>{words}</span>
			{onShow !== null && asked && (
				<Button small onPress={onShow}>
					{t.showTheAnswer}
				</Button>
			)}
			{isShown && <span className="note">{t.shownBelow}</span>}
			<Button
				tone={asked ? 'plain' : 'primary'}
				reason={isAsking ? t.queryInProgress : null}
				tooltip={t.queriesService(offer.kind === 'activity' ? t.serviceSearchesNewest : '.')}
				onPress={onAsk}
			>
				{isAsking ? t.queryingMore : asked ? t.queryAgainTitle : t.query} · {priceOf(offer)}
				{isFirst && <KeyCap keys="a" />}
			</Button>
		</div>
	)
}
