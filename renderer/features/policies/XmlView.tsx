import {useVirtualizer} from '@tanstack/react-virtual'
import {useMemo, useRef, useState} from 'react'

import {formatCount} from '#text/numbers.ts'
import {Button, CopyButton} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import styles from './policies.module.css'
import {t} from './text.ts'

/** Height of a line in pixels, as in the stylesheet. */
const lineHeight = 20
const noFolds: ReadonlySet<number> = new Set()

export function XmlView(props: {text: string}) {
	const it = useXmlView(props)
	const {text, lines, setFolded, search, setSearch, at, setAt, found, step} = it
	return (
		<>
			<div className="cluster">
				<TextField
					type="search"
					label={t.searchXml}
					hideLabel
					placeholder={t.searchXml}
					value={search}
					onChange={next => {
						setSearch(next)
						setAt(-1)
					}}
					onKeyDown={event => {
						if (event.key !== 'Enter' || found.length === 0) return
						event.preventDefault()
						step(1)
					}}
					className={styles.xmlSearch}
				/>
				<span className="fact" role="status">
					{search.trim() === ''
						? t.lines(formatCount(lines.length))
						: found.length === 0
							? t.notFound
							: t.linesOf(at < 0 ? '' : t.of(at + 1), formatCount(found.length))}
				</span>
				<Button small onPress={() => step(-1)} reason={found.length === 0 ? t.noMatch : null}>
					{t.previous}
				</Button>
				<Button small onPress={() => step(1)} reason={found.length === 0 ? t.noMatch : null}>
					{t.next}
				</Button>
				<Button small onPress={() => setFolded(new Set(lines.flatMap(({end, level}, index) => (end !== null && level > 0 ? [index] : []))))}>
					{t.foldAll}
				</Button>
				<Button small onPress={() => setFolded(noFolds)}>
					{t.unfoldAll}
				</Button>
				<CopyButton text={text} what={t.xml} />
			</div>
			<XmlLines it={it} />
		</>
	)
}

function XmlLines({it}: {it: XmlViewState}) {
	const {lines, folded, scroller, shown, marked, rows, toggle, current} = it
	return (
		<div ref={scroller} className={styles.xml} tabIndex={0} role="group" aria-label={t.policyAsXml}>
			<div className={styles.xmlLines} style={{height: rows.getTotalSize()}}>
				{rows.getVirtualItems().map(({index: row, start}) => {
					const index = shown[row] ?? 0
					const line = lines[index]
					if (line === undefined) return null
					const isFolded = line.end !== null && folded.has(index)
					return (
						<div
							key={index}
							className={styles.xmlLine}
							data-found={marked.has(index)}
							data-at={index === current}
							style={{transform: `translateY(${start}px)`, paddingLeft: line.level * 14}}
						>
							{line.end === null ? (
								<span className={styles.foldSpace} />
							) : (
								<button
									type="button"
									className={styles.fold}
									aria-expanded={!isFolded}
									aria-label={t.linesTitle(line.text.slice(0, 40), line.end - index)}
									onClick={() => toggle(index)}
								>
									{isFolded ? '▸' : '▾'}
								</button>
							)}
							<span>{line.text}</span>
							{isFolded && line.end !== null && <span className={styles.cut}>{t.lines2(formatCount(line.end - index))}</span>}
						</div>
					)
				})}
			</div>
		</div>
	)
}

type XmlViewState = ReturnType<typeof useXmlView>

function useXmlView({text}: {text: string}) {
	const lines = useMemo(() => xmlLines(text), [text])
	const [folded, setFolded] = useState(noFolds)
	const [search, setSearch] = useState('')
	const [at, setAt] = useState(-1)
	const scroller = useRef<HTMLDivElement>(null)
	const shown = useMemo(() => shownLines(lines, folded), [lines, folded])
	const found = useMemo(() => findLines(lines, search), [lines, search])
	const marked = useMemo(() => new Set(found), [found])
	const rows = useVirtualizer({
		count: shown.length,
		getScrollElement: () => scroller.current,
		estimateSize: () => lineHeight,
		overscan: 20,
		useFlushSync: false
	})
	const toggle = (index: number) =>
		setFolded(old => {
			const next = new Set(old)
			if (!next.delete(index)) next.add(index)
			return next
		})
	const goTo = (position: number) => {
		const index = found[position]
		if (index === undefined) return
		setAt(position)
		const hidden = foldsAround(lines, folded, index)
		const open = new Set([...folded].filter(fold => !hidden.includes(fold)))
		setFolded(open)
		const row = shownLines(lines, open).indexOf(index)
		requestAnimationFrame(() => rows.scrollToIndex(row, {align: 'center'}))
	}
	const step = (by: number) => goTo((at + by + found.length) % found.length)
	const current = found[at]
	return {...{text, lines, folded, setFolded, search, setSearch, at, setAt, scroller, shown, found, marked, rows}, ...{toggle, step, current}}
}

/**
 * XML as foldable lines: pure, and without the browser's parser, which would have to be trusted with the service's data. For
 * viewing: unchanged text, one tag or text per line.
 */
interface XmlLine {
	/** From 0. */
	level: number
	text: string
	/** Index of the closing line; `null` without one. */
	end: number | null
}

interface Draft {
	level: number
	text: string
	end: number | null
}

/** Comments, sections and instructions are whole; `>` in quotes ends no tag. */
export const pieces = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</g

/** The lines of an XML text; other text stays unchanged. */
export function xmlLines(text: string): readonly XmlLine[] {
	const lines: Draft[] = []
	const open: number[] = []
	for (const [piece] of text.matchAll(pieces)) {
		const content = piece.trim()
		if (content === '') continue
		if (content.startsWith('</')) close(lines, open, content)
		else {
			lines.push({level: open.length, text: content, end: null})
			if (isOpening(content)) open.push(lines.length - 1)
		}
	}
	return lines
}

function isOpening(tag: string) {
	return /^<[^!?/]/.test(tag) && !tag.endsWith('/>') && tag.endsWith('>')
}

/** `<a>text</a>` and `<a></a>` are one line. */
function close(lines: Draft[], open: number[], tag: string) {
	const from = open.pop()
	const first = from === undefined ? undefined : lines[from]
	if (from === undefined || first === undefined) {
		lines.push({level: 0, text: tag, end: null})
		return
	}
	const inner = lines[from + 1]
	const isShort = inner === undefined || (!inner.text.startsWith('<') && inner.text.length < 200)
	if (isShort && lines.length - from <= 2) {
		first.text += `${inner?.text ?? ''}${tag}`
		lines.length = from + 1
		return
	}
	first.end = lines.length
	lines.push({level: open.length, text: tag, end: null})
}

/** Indexes of visible lines, without those inside folded ones. */
export function shownLines(lines: readonly XmlLine[], folded: ReadonlySet<number>): readonly number[] {
	const shown: number[] = []
	for (let index = 0; index < lines.length; index += 1) {
		shown.push(index)
		const end = lines[index]?.end ?? null
		if (end !== null && folded.has(index)) index = end
	}
	return shown
}

/** Indexes of lines that contain a text, case-insensitive. */
export function findLines(lines: readonly XmlLine[], text: string): readonly number[] {
	const wanted = text.trim().toLowerCase()
	if (wanted === '') return []
	return lines.flatMap((line, index) => (line.text.toLowerCase().includes(wanted) ? [index] : []))
}

/** Folds to open so that a line is visible. */
export function foldsAround(lines: readonly XmlLine[], folded: ReadonlySet<number>, index: number): readonly number[] {
	return [...folded].filter(from => from < index && index <= (lines[from]?.end ?? -1))
}
