import {useNavigate, useRouterState} from '@tanstack/react-router'
import {Maximize2, X} from 'lucide-react'
import {useLayoutEffect, useRef, useState, type RefObject} from 'react'

import {useActiveConnectionOrNull} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'
import {IconButton} from '#ui/Button.tsx'
import {CommandInput} from './CommandInput.tsx'
import styles from './Drawer.module.css'
import {Help} from './Help.tsx'
import {LineDialogs} from './LineDialogs.tsx'
import {RunOutput} from './RunOutput.tsx'
import {RunProgressLine} from './RunProgressLine.tsx'
import {t} from './text.ts'
import {useCommandLine, type CommandLine} from './use-command-line.ts'

export function Drawer() {
	// The command line's own screen needs no drawer.
	const isFull = useRouterState({select: state => state.location.pathname === '/command-line'})
	const isOpen = useUi(ui => ui.isDrawerOpen) && !isFull
	const connection = useActiveConnectionOrNull()
	const [wasOpen, setWasOpen] = useState(isOpen)
	if (isOpen && !wasOpen) setWasOpen(true)
	// Once opened it stays mounted: the text and its outcome survive closing.
	return wasOpen && connection !== null ? <Line key={connection.id} isOpen={isOpen} isTaker={!isFull} /> : null
}

function Line({isOpen, isTaker}: {isOpen: boolean; isTaker: boolean}) {
	const navigate = useNavigate()
	const setDrawer = useUi(ui => ui.setDrawer)
	const it = useCommandLine({takesDrafts: isTaker})
	const close = () => setDrawer(false)
	const section = useRef<HTMLElement>(null)
	useReturnFocus(section, isOpen)
	return (
		<section ref={section} className={styles.drawer} aria-label={t.commandLine} hidden={!isOpen}>
			<div className={styles.close}>
				<IconButton label={t.theWholeScreen} small onPress={() => void navigate({to: '/command-line'})}>
					<Maximize2 size={13} />
				</IconButton>
				<IconButton label={t.closeCommand} small onPress={close}>
					<X size={14} />
				</IconButton>
			</div>
			<div className={styles.output}>
				<Output it={it} />
			</div>
			<CommandInput
				value={it.line}
				onChange={it.setLine}
				onRun={it.submit}
				onClose={close}
				history={it.history}
				isTried={it.isTried}
				isShown={isOpen}
			/>
			<LineDialogs it={it} />
		</section>
	)
}

/** Closing returns the focus to its previous place, unless it moved elsewhere. */
function useReturnFocus(section: RefObject<HTMLElement | null>, isOpen: boolean) {
	const before = useRef<Element | null>(null)
	useLayoutEffect(() => {
		if (isOpen) {
			before.current = document.activeElement
			return
		}
		const now = document.activeElement
		const isLost = now === null || now === document.body || section.current?.contains(now) === true
		if (isLost && before.current instanceof HTMLElement) before.current.focus()
	}, [section, isOpen])
}

function Output({it}: {it: CommandLine}) {
	const {shown, runner} = it
	const {state} = runner
	if (shown.kind === 'help') return <Help topic={shown.topic} onPick={name => it.setLine(`${name} `)} />
	if (shown.kind === 'nothing') {
		return <p className={styles.hint}>{t.typeCommand}</p>
	}
	return (
		<>
			<p className={styles.ran}>!{shown.line}</p>
			{state.kind === 'running' && <RunProgressLine of={state} onStop={runner.stop} />}
			{(state.kind === 'done' || state.kind === 'failed') && <RunOutput spec={shown.spec} state={state} />}
		</>
	)
}
