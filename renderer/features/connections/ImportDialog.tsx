import {useState} from 'react'

import {type FiledConnection, isSealedFile, readConnectionsFile, thereAlready} from '#model/connections-file.ts'
import {useConnections, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Banner} from '#ui/States.tsx'
import {Button, FileButton} from '#ui/Button.tsx'
import {Dialog} from '#ui/Dialog.tsx'
import {TextField} from '#ui/Field.tsx'
import {Tag} from '#ui/Tag.tsx'
import styles from './connections.module.css'
import {t} from './text.ts'

type Chosen = ReturnType<typeof readConnectionsFile> | {ok: 'sealed'; text: string}

/** Maximum size of a file (bytes): 200 connections without their own authorities need a hundredth of it. */
const largest = 10_000_000

/** Imports connections from a file. Each needs its key and begins read-only, whatever the file says. */
export function ImportDialog({onClose}: {onClose: () => void}) {
	const [chosen, setChosen] = useState<Chosen | null>(null)
	const choose = async (file: File) => {
		setChosen(null)
		setChosen(file.size > largest ? {ok: false, problem: 'The file is too large.'} : read(await file.text()))
	}
	return (
		<Dialog title={t.importConnections} size="large" onClose={onClose} act={[t.done, onClose]}>
			<div className="stack">
				<p>
					{t.fileHoldsNames} <em>{t.exportConnections}</em> {t.wroteThemType} <em>{t.exportWithKeys}</em> {t.asksPassphrase}
				</p>
				<div>
					<FileButton label={t.fileOfConnections} accept=".json,application/json" onFile={choose} autoFocus>
						{t.chooseAFile}
					</FileButton>
				</div>
				{chosen?.ok === 'sealed' && <SealedImport key={chosen.text} text={chosen.text} />}
				{chosen?.ok === false && <Banner tone="bad">{chosen.problem}</Banner>}
				{chosen?.ok === true && chosen.connections.length === 0 && <Banner>{t.fileHoldsNo}</Banner>}
				{chosen?.ok === true && chosen.connections.map(connection => <ImportLine key={connection.name} connection={connection} />)}
			</div>
		</Dialog>
	)
}

function read(text: string): Chosen {
	return isSealedFile(text) ? {ok: 'sealed', text} : readConnectionsFile(text)
}

function ImportLine({connection}: {connection: FiledConnection}) {
	const there = thereAlready(useConnections() ?? [], connection)
	const [apiKey, setKey] = useState('')
	const adding = useCall(client => client.connections.add({...connection, readOnly: true, apiKey}), {onSuccess: () => setKey('')})
	const reason = adding.isPending ? 'Saving…' : apiKey.trim() === '' ? 'Type or paste the key first.' : null
	return (
		<section className={styles.importLine} aria-label={connection.name}>
			<div className="cluster">
				<h3 className={styles.cardTitle}>{connection.name}</h3>
				<Tag>{connection.environment}</Tag>
				{connection.insecure && <Tag tone="bad">{t.trustsAnyCertificate}</Tag>}
				{adding.isSuccess && <Tag tone="ok">{t.addedReadOnly}</Tag>}
			</div>
			<p className={styles.where}>{t.client(connection.url, connection.clientId)}</p>
			{adding.isSuccess ? null : there !== undefined ? (
				<p>{there.message}</p>
			) : (
				<div className={styles.importKey}>
					<TextField label={t.apiKey} type="password" value={apiKey} onChange={setKey} mono autoComplete="off" />
					<Button tone="primary" reason={reason} onPress={() => adding.mutate()} aria-label={t.addOf(connection.name)}>
						{t.add}
					</Button>
				</div>
			)}
			<Failure error={adding.error} />
		</section>
	)
}

const outcomes = {
	added: {tone: 'ok', word: '✓ added'},
	there: {tone: 'plain', word: '= there already'},
	failed: {tone: 'bad', word: '✕ not added'}
} as const

/** A file with keys: one passphrase decrypts all. A wrong one changes nothing and can be corrected. */
function SealedImport({text}: {text: string}) {
	const [seal, setSeal] = useState('')
	const opening = useCall(client => client.local.importSealed({text, seal}), {gcTime: 0, onSuccess: () => setSeal('')})
	const reason = opening.isPending ? 'The file is being opened.' : seal === '' ? 'Type the passphrase of the file first.' : null
	if (opening.data !== undefined)
		return (
			<ul className="stack" aria-label={t.importedConnections}>
				{opening.data.map(({name, outcome, message}) => (
					<li key={name} className={styles.importLine}>
						<div className="cluster">
							<h3 className={styles.cardTitle}>{name}</h3>
							<Tag tone={outcomes[outcome].tone}>{outcomes[outcome].word}</Tag>
						</div>
						<p>{message}</p>
					</li>
				))}
				{opening.data.length === 0 && <Banner>{t.fileHoldsNo}</Banner>}
			</ul>
		)
	return (
		<>
			<div className={styles.importKey}>
				<TextField label={t.passphraseFile} type="password" value={seal} onChange={setSeal} autoComplete="off" autoFocus />
				<Button tone="primary" reason={reason} onPress={() => opening.mutate()}>
					{t.importWithKeys}
				</Button>
			</div>
			<Failure error={opening.error} />
		</>
	)
}
