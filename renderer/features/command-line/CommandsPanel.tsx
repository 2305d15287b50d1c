import {useState, type FormEvent, type RefObject} from 'react'

import {catalogue} from '#shared/commands/catalogue.ts'
import type {Risk} from '#shared/commands/define.ts'

import {CommandName} from '#commands/CommandName.tsx'
import {Help} from '#commands/Help.tsx'
import {Button} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {Tag} from '#ui/Tag.tsx'
import styles from './CommandLine.module.css'
import {t} from './text.ts'

interface CommandsPanelProps {
	/** The command whose help is shown; `null` shows the list. */
	shown: string | null
	onShow: (name: string | null) => void
	onPick: (name: string) => void
	findRef: RefObject<HTMLInputElement | null>
}

const riskWords: Readonly<Record<Risk, string | null>> = {read: null, change: 'changes', isolate: 'isolates', release: 'releases'}

/** All commands with a search, and the help of the typed or chosen one. */
export function CommandsPanel({shown, onShow, onPick, findRef}: CommandsPanelProps) {
	const [find, setFind] = useState('')
	const words = find.toLowerCase().split(/\s+/)
	const found = catalogue.filter(spec => words.every(word => `${spec.name} ${spec.title} ${spec.summary}`.toLowerCase().includes(word)))
	const take = (event: FormEvent) => {
		event.preventDefault()
		const first = found[0]
		if (first !== undefined && find.trim() !== '') onPick(first.name)
	}
	return (
		<aside className={styles.panel} aria-label={t.commands}>
			<form role="search" onSubmit={take}>
				<TextField
					label={t.searchTheCommands}
					hideLabel
					type="search"
					value={find}
					onChange={next => {
						setFind(next)
						onShow(null)
					}}
					placeholder={t.searchTheCommands}
					inputRef={findRef}
				/>
			</form>
			{shown !== null && find === '' ? (
				<div className={styles.help}>
					<div className={styles.helpHead}>
						<code>
							<CommandName name={shown} />
						</code>
						<Button small tone="quiet" onPress={() => onShow(null)}>
							{t.allCommands}
						</Button>
					</div>
					<Help topic={shown} onPick={onPick} />
					<Button small onPress={() => onPick(shown)}>
						{t.copyToLine}
					</Button>
				</div>
			) : (
				<ul className={styles.commands} aria-label={t.allCommands}>
					{found.map(spec => {
						const risk = riskWords[spec.risk]
						return (
							<li key={spec.name} className={styles.command}>
								<button type="button" className={styles.commandButton} onClick={() => onShow(spec.name)}>
									<code>
										<CommandName name={spec.name} />
									</code>
									<span className="note">{spec.summary}</span>
								</button>
								{risk !== null && <Tag tone="warn">{risk}</Tag>}
							</li>
						)
					})}
					{found.length === 0 && <li className={styles.hint}>{t.noCommandName}</li>}
				</ul>
			)}
		</aside>
	)
}
