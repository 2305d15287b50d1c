import {keepPreviousData} from '@tanstack/react-query'
import {type KeyboardEvent, useRef} from 'react'

import type {SearchResults} from '#contract/search.ts'
import {defanged, type Indicator, readIndicator} from '#model/indicator.ts'
import {counted, formatCount, formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {useAskedHere} from '#api/hooks.tsx'
import {useTypedText} from '#commands/filter/use-late-address.ts'
import {useAddress} from '#kit/use-address.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {CopyButton, writeClipboard, Link} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {TextField} from '#ui/Field.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Loaded} from '#ui/States.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {ScreenBar} from '#ui/Screen.tsx'
import {LocalResults} from './LocalResults.tsx'
import {NothingTyped} from './NothingTyped.tsx'
import styles from './SearchScreen.module.css'
import {ServicePart} from './ServicePart.tsx'
import {t} from './text.ts'
import {useRecent} from './use-recent.ts'
import {adviceFor, kindWords} from './words.ts'

/** One box for a computer, user, hash, address, URL, file name or GUID: local copies at once, the service on request. */
export function SearchScreen() {
	const screen = useSearchScreen()
	const {search, change, typed, recent, box, hits, text, indicator, local, results, commit, start} = screen
	return (
		<div className="pane">
			<ScreenBar title={t.search} facts={results && <Stored results={results} />} />
			<form
				role="search"
				className={styles.form}
				onSubmit={event => {
					event.preventDefault()
					commit()
				}}
			>
				<TextField
					label={t.searchEverything}
					hideLabel
					type="search"
					value={typed.text}
					onChange={typed.set}
					autoFocus
					mono
					maxLength={2000}
					inputRef={box}
					placeholder={t.computerUser}
					className={styles.box}
					onKeyDown={event => {
						if (event.key !== 'ArrowDown') return
						event.preventDefault()
						focusHit(hits.current, 0)
					}}
				/>
			</form>
			{indicator === null ? (
				<NothingTyped isTyped={text !== ''} recent={recent} onSearch={start} />
			) : (
				<>
					<Recognised indicator={indicator} knowsSha256={results?.groups.some(({kind}) => kind === 'hash') ?? false} />
					<div className={styles.columns}>
						<div
							ref={hits}
							className={cx(styles.local, local.isPlaceholderData && styles.previous)}
							aria-busy={local.isPlaceholderData}
							onKeyDown={event => walkHits(event, hits.current, box.current)}
							role="presentation"
						>
							<Loaded of={local} title={t.couldNotLoadLocalData} lines={8} label={t.searchingLocalData}>
								{found => <LocalResults results={found} onOpen={commit} />}
							</Loaded>
						</div>
						<ServicePart
							key={text}
							text={text}
							indicator={indicator}
							offers={results?.offers ?? []}
							hasEvents={(results?.events.count ?? 0) > 0}
							search={search}
							onChange={change}
							onAsk={commit}
						/>
					</div>
				</>
			)}
		</div>
	)
}

function useSearchScreen() {
	const {search, change} = useAddress('/search')
	const typed = useTypedText(search.q ?? '', q => change({q: q === '' ? undefined : q, ask: undefined, show: undefined}))
	const recent = useRecent()
	const box = useRef<HTMLInputElement>(null)
	const hits = useRef<HTMLDivElement>(null)
	useKeys({'search.box': () => box.current?.select(), 'list.filter': () => box.current?.select()})

	const text = typed.text.trim()
	const indicator = readIndicator(text)
	const local = useAskedHere(
		q => q.search.local,
		{text, limit: shownHits},
		{enabled: indicator !== null, placeholderData: keepPreviousData, gcTime: 10_000}
	)
	const results = indicator === null ? undefined : local.data
	const commit = () => {
		typed.settle(text)
		if (indicator !== null) recent.remember(text)
	}
	const start = (again: string) => {
		typed.settle(again)
		recent.remember(again)
		box.current?.focus()
	}
	return {search, change, typed, recent, box, hits, text, indicator, local, results, commit, start}
}

const shownHits = 5

/** The recognised kind of the text, in the form used for the search. */
function Recognised({indicator, knowsSha256}: {indicator: Indicator; knowsSha256: boolean}) {
	const advice = adviceFor(indicator, knowsSha256)
	return (
		<div className={styles.recognised} role="status">
			<Tag tone="accent">{kindWords[indicator.kind]}</Tag>
			<code className={styles.value}>{indicator.value}</code>
			<CopyButton text={indicator.value} what={kindWords[indicator.kind]} />
			{indicator.wasDefanged && <span className="note">{t.defangedReal}</span>}
			<Further indicator={indicator} />
			{advice !== null && <p className={styles.advice}>{advice}</p>}
		</div>
	)
}

function Further({indicator: {kind, value}}: {indicator: Indicator}) {
	const announce = useAnnounce()
	const harmless = kind === 'domain' ? value.replaceAll('.', '[.]') : defanged(value)
	const copy = async () => announce((await writeClipboard(harmless)) ? `Copied as ${harmless}` : 'It could not be copied')
	return (
		<>
			{harmless !== value && <Link onPress={() => void copy()}>{t.copyDefanged}</Link>}
			{kind === 'sha256' && <Link href={`/file-lists/hash/${value}?act=block`}>{t.block}</Link>}
		</>
	)
}

function hitsIn(list: HTMLElement | null) {
	return [...(list?.querySelectorAll<HTMLElement>('[data-hit] a, a[data-hit]') ?? [])]
}

function focusHit(list: HTMLElement | null, at: number) {
	hitsIn(list)[at]?.focus()
}

/** Arrow keys move through the hits, and from the first one back to the box. */
function walkHits(event: KeyboardEvent, list: HTMLElement | null, box: HTMLElement | null) {
	if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
	const hits = hitsIn(list)
	const at = hits.findIndex(hit => hit === document.activeElement)
	if (at < 0) return
	event.preventDefault()
	if (event.key === 'ArrowUp' && at === 0) box?.focus()
	else hits[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}

function Stored({results: {computers, events}}: {results: SearchResults}) {
	return (
		<>
			{t.inOf(counted(computers.count, nouns.computer))}
			{computers.readAt !== null && (
				<>
					{' '}
					(<Time at={computers.readAt} form="age" focusable /> {t.oldInBrackets}
				</>
			)}{' '}
			{t.andStored(formatCount(events.count), formOf(events.count, nouns.event))}
			{events.readAt !== null && (
				<>
					{' '}
					(<Time at={events.readAt} form="age" focusable /> {t.oldInBrackets}
				</>
			)}
		</>
	)
}
