import {useState} from 'react'

import type {SealedCode} from '#model/lease.ts'

import {useAsked} from '#api/hooks.tsx'
import {RevealDialog} from '#commands/guard/RevealDialog.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {EmptyState, Loaded} from '#ui/States.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './UnlockCodesScreen.module.css'
import {t} from './text.ts'

const states: Readonly<Record<SealedCode['state'], {word: string; tone: 'ok' | 'warn' | 'plain'}>> = {
	in_use: {word: 'accepted', tone: 'ok'},
	unknown: {word: 'outcome unknown', tone: 'warn'},
	sealed: {word: 'awaiting response', tone: 'warn'}
}

/** Encrypted unlock codes on this computer. Listed and shown without the network. */
export function UnlockCodesScreen() {
	const codes = useAsked(q => q.codes.list, {input: {}, staleTime: 0})
	const [revealing, setRevealing] = useState<SealedCode | null>(null)
	return (
		<Screen>
			<ScreenBar title={t.unlockCodes} facts={codes.data && <span>{t.storedEncrypted(codes.data.length)}</span>} />
			<div className={styles.scroll}>
				<Loaded
					of={codes}
					title={t.couldNotLoadVault}
					lines={6}
					label={t.loadingTheVault}
					empty={
						<EmptyState title={t.noUnlockCodes} to={['/computers', t.goComputers]}>
							{t.randomCustom}
						</EmptyState>
					}
				>
					{data => <Codes codes={data} onReveal={setRevealing} />}
				</Loaded>
			</div>
			{revealing !== null && (
				<RevealDialog connection={revealing.connection} guid={revealing.guid} sealed={revealing.id} isOpen onClose={() => setRevealing(null)}>
					<p>
						<b>{revealing.label}</b> {t.onNumber(revealing.connectionName)}
					</p>
				</RevealDialog>
			)}
		</Screen>
	)
}

function Codes({codes, onReveal}: {codes: readonly SealedCode[]; onReveal: (code: SealedCode) => void}) {
	return (
		<PlainTable caption={t.eachReveal} columns={[t.computer, t.connection, t.stored, t.made, t.state, t.code]}>
			{codes.map(code =>
				tableRow(
					code.id,
					<Link href={`/computers/${code.guid}`}>{code.label}</Link>,
					code.connectionName,
					<Time at={code.at} />,
					code.made === 'generated' ? t.random : t.byHand,
					<Tag tone={states[code.state].tone}>{states[code.state].word}</Tag>,
					<>
						<span role="img" aria-label={t.hidden}>
							••••••••
						</span>{' '}
						<Button small onPress={() => onReveal(code)} opens aria-label={t.revealCode(code.label)}>
							{t.reveal}
						</Button>
					</>
				)
			)}
		</PlainTable>
	)
}
