import {useEffect, useEffectEvent, useLayoutEffect, useRef, useState} from 'react'

import {findCommand} from '#shared/commands/catalogue.ts'
import type {KnownCommand} from '#shared/commands/parse.ts'
import type {CommandResult} from '#shared/commands/result.ts'
import {recordsOf} from '#shared/commands/table.ts'
import {CommandInput} from '#commands/CommandInput.tsx'
import {LineDialogs} from '#commands/LineDialogs.tsx'
import {RunOutput} from '#commands/RunOutput.tsx'
import {RunProgressLine} from '#commands/RunProgressLine.tsx'
import {type RanLine, useScrollback} from '#commands/Scrollback.tsx'
import {useCommandLine} from '#commands/use-command-line.ts'
import {useAddress} from '#kit/use-address.ts'
import {Button, useCopy} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {Banner, EmptyState} from '#ui/States.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {useRowHeight} from '#ui/RowHeight.tsx'
import {saveText} from '#ui/save.ts'
import {Screen, ScreenBody, ScreenBar} from '#ui/Screen.tsx'
import {Tag, type Tone} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './CommandLine.module.css'
import {CommandsPanel} from './CommandsPanel.tsx'
import {type AnswerForm, answerForms, endOf, isPart} from './forms.ts'
import {t} from './text.ts'

/** The command line as a screen: earlier lines stay above, lines run in parallel, commands are listed beside it. */
export function CommandLineScreen() {
	const all = useCommandLineScreen()
	const {scrollback, help, setHelp, it, isPanel, setPanel, screen, list, focusLine, blocks, running, typed, pick} = all
	return (
		<Screen screenRef={screen}>
			<ScreenBar title={t.commandLine} facts={running.length === 0 ? undefined : <span role="status">{t.running(running.length)}</span>}>
				<Button onPress={scrollback.clear} reason={scrollback.lines.length === 0 ? t.nothingRun : null}>
					{t.clear}
				</Button>
				<Button onPress={() => setPanel(!isPanel)} aria-expanded={isPanel}>
					{t.commands}
				</Button>
			</ScreenBar>
			<ScreenBody>
				<section className={styles.work} aria-label={t.commandLine}>
					<div ref={blocks.scroller} className={styles.scroll} role="log" aria-label={t.recentLines} aria-live="off">
						{scrollback.lines.length === 0 && <EmptyState title={t.nothingRunYet}>{t.typeCommand}</EmptyState>}
						{scrollback.lines.map(line => (
							<LineBlock
								key={line.id}
								ran={line}
								onStop={() => scrollback.stop(line.id)}
								onAgain={() => {
									it.setLine(line.line)
									focusLine()
								}}
							/>
						))}
					</div>
					<CommandInput
						value={it.line}
						onChange={it.setLine}
						onRun={it.submit}
						onClose={() => {}}
						history={it.history}
						isTried={it.isTried}
						isShown
					/>
				</section>
				{isPanel && <CommandsPanel shown={help ?? typed ?? null} onShow={setHelp} onPick={pick} findRef={list} />}
			</ScreenBody>
			<LineDialogs it={it} />
		</Screen>
	)
}

function useCommandLineScreen() {
	const {search, change} = useAddress('/command-line')
	const scrollback = useScrollback()
	const help = search.help ?? null
	const setHelp = (name: string | null) => change({help: name ?? undefined})
	const it = useCommandLine({
		onRun: scrollback.start,
		onHelp: topic => {
			setHelp(findCommand(topic) === undefined ? null : topic)
			setPanel(true)
		}
	})
	const [isPanel, setPanel] = useState(() => window.innerWidth > 1000)
	const screen = useRef<HTMLDivElement>(null)
	const list = useRef<HTMLInputElement>(null)
	const focusLine = () => screen.current?.querySelector<HTMLInputElement>('[role="combobox"]')?.focus()
	const blocks = useBlocks(scrollback.lines.length, focusLine)
	useStartLine(search.line, it.setLine, () => change({line: undefined}))
	const running = scrollback.lines.filter(({state}) => state.kind === 'running')
	const newest = running.at(-1)
	useKeys({
		'global.commandLine': focusLine,
		'line.stop': newest !== undefined && (() => (newest === undefined ? undefined : scrollback.stop(newest.id))),
		'line.help': () => {
			// A hidden panel has to be drawn first.
			if (isPanel) return list.current?.focus()
			setPanel(true)
			requestAnimationFrame(() => list.current?.focus())
		},
		'line.earlier': () => blocks.move(-1),
		'line.later': () => blocks.move(1)
	})
	const typedCommand = /^!?(\w+)/.exec(it.line)?.[1]
	const typed = typedCommand === undefined ? undefined : findCommand(typedCommand)?.name
	const pick = (name: string) => {
		it.setLine(`${name} `)
		focusLine()
	}
	return {scrollback, help, setHelp, it, isPanel, setPanel, screen, list, focusLine, blocks, running, typed, pick}
}

/** A link or the menu may provide a line. Only a person runs it. */
function useStartLine(line: string | undefined, setLine: (line: string) => void, taken: () => void) {
	const take = useEffectEvent((text: string) => {
		setLine(text)
		taken()
	})
	useEffect(() => {
		if (line !== undefined) take(line.replace(/^!/, '').replace(/[\r\n]+/g, ' '))
	}, [line])
}

/**
 * Moves between the blocks by keyboard, and keeps the newest in view while answers grow, if the end was in view before: never
 * while the operator reads further up.
 */
function useBlocks(count: number, focusLine: () => void) {
	const scroller = useRef<HTMLDivElement>(null)
	const isAtEnd = useRef(true)
	useEffect(() => {
		const {current} = scroller
		if (current === null) return
		const onScroll = () => {
			isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearEnd
		}
		current.addEventListener('scroll', onScroll, {passive: true})
		return () => current.removeEventListener('scroll', onScroll)
	}, [])
	useLayoutEffect(() => {
		const {current} = scroller
		if (current === null) return
		// Show the line just run.
		isAtEnd.current = true
		const follow = () => {
			if (isAtEnd.current) current.scrollTop = current.scrollHeight
		}
		const watch = new ResizeObserver(follow)
		for (const block of blocksOf(current)) watch.observe(block)
		follow()
		return () => watch.disconnect()
	}, [count])
	return {
		scroller,
		/** Moves the focus to the block before or after; from the last one, to the line. */
		move(by: 1 | -1) {
			const all = scroller.current === null ? [] : blocksOf(scroller.current)
			const at = all.findIndex(block => block.contains(document.activeElement))
			const next = at < 0 ? (by < 0 ? all.length - 1 : all.length) : at + by
			const block = all[Math.max(0, next)]
			if (block === undefined) return focusLine()
			block.focus({preventScroll: true})
			block.scrollIntoView({block: 'nearest'})
		}
	}
}

const nearEnd = 40

function blocksOf(scroller: HTMLElement) {
	return [...scroller.querySelectorAll<HTMLElement>(':scope > article')]
}

const words: Readonly<Record<RanLine['state']['kind'], readonly [word: string, tone: Tone]>> = {
	idle: ['waits', 'plain'],
	running: ['◔ runs', 'accent'],
	done: ['✓ done', 'ok'],
	failed: ['✕ failed', 'bad'],
	forgotten: ['✓ done', 'ok']
}

function wordsOf(state: RanLine['state']): (typeof words)['idle'] {
	const isStopped = state.kind === 'failed' && state.error.code === 'cancelled'
	return isStopped ? ['■ stopped', 'plain'] : words[state.kind]
}

/** One line with its answer, in a focusable frame. */
function LineBlock({ran, onStop, onAgain}: {ran: RanLine; onStop: () => void; onAgain: () => void}) {
	const {line, spec, state, at} = ran
	const [isCopying, setCopying] = useState(false)
	const [word, tone] = wordsOf(state)
	const height = useAnswerHeight(state)
	const end = state.kind === 'done' ? endOf(state.result) : null
	return (
		<article className={styles.block} tabIndex={-1} aria-label={`!${line}, ${word.slice(2)}`}>
			<div className={styles.blockHead}>
				<Tag tone={tone}>{word}</Tag>
				<code className={styles.line}>!{line}</code>
				<Time at={at} form="clock" />
				<Button small tone="quiet" onPress={onAgain} aria-label={t.copyCommand(line)}>
					{t.copyToLine}
				</Button>
				{state.kind === 'done' && (
					<Button small tone="quiet" onPress={() => setCopying(true)} opens>
						{t.copyOrSave}
					</Button>
				)}
			</div>
			{state.kind === 'running' && <RunProgressLine of={state} onStop={onStop} />}
			{(state.kind === 'done' || state.kind === 'failed') && (
				<div className={styles.answer} style={height === null ? {} : {height}}>
					<RunOutput spec={spec} state={state} />
				</div>
			)}
			{state.kind === 'forgotten' && (
				<p className={styles.hint}>
					{state.message} {t.theseRecords}
				</p>
			)}
			{end !== null && <p className={styles.hint}>{end}</p>}
			{isCopying && state.kind === 'done' && <CopyAnswerDialog spec={spec} line={line} result={state.result} onClose={() => setCopying(false)} />}
		</article>
	)
}

/** Height of message, tabs, and the line under the table's head (pixels). */
const around = 108
const tallest = 420

/** A table draws only rows in view, so it needs a height: that of its rows, within limits. */
function useAnswerHeight(state: RanLine['state']) {
	const rowHeight = useRowHeight()
	const data = state.kind === 'done' ? state.result.data : null
	const records = recordsOf(data).length
	// A single object is no table.
	if (records === 0 || recordsOf(data)[0] === data) return null
	return Math.min(tallest, Math.max(220, around + (records + 1) * rowHeight))
}

interface CopyAnswerDialogProps {
	spec: KnownCommand
	line: string
	result: CommandResult
	onClose: () => void
}

/** Copies an answer or saves it to a file, in the chosen form. */
function CopyAnswerDialog({spec, line, result, onClose}: CopyAnswerDialogProps) {
	const toClipboard = useCopy()
	const copy = (form: AnswerForm) => {
		toClipboard(form.title, form.text())
		onClose()
	}
	const save = (form: AnswerForm) => {
		saveText({name: `${spec.name}.${form.ending ?? 'txt'}`, text: form.text()})
		onClose()
	}
	return (
		<Dialog title={t.copySaveAnswer} size="small" onClose={onClose} cancel>
			{isPart(result) && <Banner tone="warning">{endOf(result)}</Banner>}
			<ul className={styles.forms} aria-label={t.forms}>
				{answerForms(spec, line, result).map((form, index) => (
					<li key={form.id} className={styles.form}>
						<span>{form.title}</span>
						<Button small autoFocus={index === 0} onPress={() => copy(form)} aria-label={t.copyAsOf(form.title)}>
							{t.copy}
						</Button>
						{form.ending === null ? (
							<span />
						) : (
							<Button small onPress={() => save(form)} aria-label={t.saveAs(form.title)}>
								{t.save}
							</Button>
						)}
					</li>
				))}
			</ul>
		</Dialog>
	)
}
