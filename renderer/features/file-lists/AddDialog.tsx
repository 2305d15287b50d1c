import {useState} from 'react'

import {readFileHash, shortHash} from '#model/file-hash.ts'
import {isBlocking} from '#model/file-list.ts'
import {defaultGuardRules} from '#model/guard.ts'

import {useActiveConnection, useComputersCount, useAsked} from '#api/hooks.tsx'
import {ChangeFrame, SendButton, useUnderWay} from '#commands/change/ChangeFrame.tsx'
import {NoChoices} from '#commands/directory/NoChoices.tsx'
import {isRequested, RunNote} from '#commands/RunNote.tsx'
import {useRun} from '#commands/use-run.ts'
import {useUi} from '#state/ui.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {TextArea, TextField} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import {findingsOf, isDangerous, isStopped} from './checks.ts'
import {AskPrevalence, Findings} from './Findings.tsx'
import {t} from './text.ts'
import {useFileLists} from './use-lists.ts'
import {usePrevalence} from './use-prevalence.ts'
import {countWords, kindWords} from './words.ts'

interface AddDialogProps {
	/** GUID of the initial list; can be changed. */
	list: string | null
	/** Initial value, possibly empty. */
	hash: string
	/** Offers only lists that block or detect, so that a mistake never allows a file. */
	blocks?: boolean
	onClose: () => void
}

/** Adds one hash to a list: checked first, one call. Enter sends nothing; the button names effect and target. */
export function AddDialog(props: AddDialogProps) {
	const {onClose} = props
	const form = useAddForm(props)
	const {runner, list, sha256, findings, send} = form
	const verb = props.blocks === true ? 'Block' : 'Add'
	const title = sha256 === null ? `${verb} a hash` : `${verb} ${shortHash(sha256)}`
	const on = props.blocks === true ? 'on' : 'to'
	const isOver = findings.some(isStopped)
	const isDone = isRequested(runner)
	const mayAsk = sha256 !== null && !isOver && !isDone
	const act = list === undefined || sha256 === null ? title : `${title} ${on} ${list.name}`
	return (
		<ChangeFrame
			title={list === undefined ? title : `${title} ${on} ${list.name}`}
			onClose={onClose}
			size="large"
			isDone={isDone}
			underWay={useUnderWay(runner)}
			confirm={<SendButton act={act} reason={waitsFor(form)} onSend={() => void send()} />}
		>
			{!isDone && <Fields form={form} hasHash={props.hash !== ''} />}
			{findings.length !== 0 && <Findings findings={findings} />}
			{mayAsk && <AskPrevalence question={form.prevalence} />}
			{mayAsk && needsTyping(form) && (
				<TextField
					label={t.confirmBeginning}
					value={form.typed}
					onChange={form.setTyped}
					mono
					isRequired
					description={t.typeToContinue(typedText(sha256))}
				/>
			)}
			<p className="quiet">{t.takesEffect(list === undefined ? '' : `${kindWords(list.type).effect} `)}</p>
			<RunNote runner={runner} />
		</ChangeFrame>
	)
}

type AddForm = ReturnType<typeof useAddForm>

function useAddForm({list: first, hash: begun, blocks = false, onClose}: AddDialogProps) {
	const connection = useActiveConnection()
	const announce = useAnnounce()
	const addChange = useUi(ui => ui.addHashChange)
	const runner = useRun()
	const copy = useFileLists()
	const {items = []} = copy
	const [guid, choose] = useState(first)
	const [hash, setHash] = useState(begun)
	const [reason, setReason] = useState('')
	const [typed, setTyped] = useState('')
	const offered = items.filter(({vanishedAt, type}) => vanishedAt === null && (!blocks || isBlocking(type)))
	// Allowing lists come last: they are rarer, and a mistake costs more.
	const lists = offered.toSorted((one, other) => Number(isBlocking(other.type)) - Number(isBlocking(one.type)))
	const list = lists.find(each => each.guid === guid)
	const read = readFileHash(hash)
	/** `null` while the input is invalid. */
	const sha256 = read.kind === 'sha256' ? read.value : null
	const checked = useAsked(q => q.directory.fileLists.hash, {input: {connection: connection.id, sha256: sha256 ?? ''}, enabled: sha256 !== null})
	const prevalence = usePrevalence(sha256)
	const computers = useComputersCount()
	const known = checked.data
	const {data: rules} = useAsked(q => q.guards.get, {input: {connection: connection.id}})
	const findings = findingsOf({
		...{hash, list, known},
		prevalence: prevalence.answer?.count ?? null,
		prevalentFrom: (rules ?? defaultGuardRules).prevalentHash,
		computers
	})
	const send = async () => {
		if (list === undefined || sha256 === null) return
		const note = reason.trim()
		const args = {file_list_guid: list.guid, sha256, description: note}
		const at = new Date().toISOString()
		const agreement = {reason: note, ...(typed.trim() !== '' && {confirm: typed.trim()})}
		const result = await runner.run({name: 'svc_set_file_list_files_by_sha', args, agreement})
		if (result === null) return
		const {entry, message, status = null, requestId = null} = result
		const where = {connection: connection.id, list: {guid: list.guid, name: list.name}}
		addChange({change: {kind: 'hash_added', ...where, sha256, note, at, entry}, message, status, requestId})
		announce(message)
		onClose()
	}
	return {
		...{copy, lists, list, choose, hash, setHash, sha256, known, uncheckable: checked.error, findings, prevalence},
		...{reason, setReason, typed, setTyped, runner, send}
	}
}

/** The same beginning of a hash as required by the guards. */
function typedText(sha256: string) {
	return sha256.slice(0, 8)
}

/** The checks found a danger, or the guards require it. */
function needsTyping({findings, runner: {state}}: AddForm) {
	return isDangerous(findings) || (state.kind === 'failed' && state.error.code === 'confirmation_needed')
}

/** Why it cannot be sent now; `null` when it can. */
function waitsFor(form: AddForm) {
	const {runner, list, sha256, known, uncheckable, findings, reason, typed} = form
	const {state} = runner
	if (state.kind === 'running') return 'The request is under way.'
	if (list === undefined) return 'Choose the list first.'
	if (sha256 === null) return 'Give the SHA-256 of the file first.'
	if (known === undefined) return uncheckable?.message ?? 'The hash is being checked.'
	const refusal = findings.find(isStopped)
	if (refusal !== undefined) return refusal.message
	if (reason.trim() === '') return 'Give a reason first: it stands beside the hash.'
	const isTyped = typed.trim().toLowerCase() === typedText(sha256)
	return needsTyping(form) && !isTyped ? 'Type the beginning of the hash to confirm.' : null
}

function Fields({form, hasHash}: {form: AddForm; hasHash: boolean}) {
	const {copy, lists, list, choose, hash, setHash, reason, setReason} = form
	return (
		<>
			<Select
				label={t.list}
				options={lists.map(each => ({value: each.guid, label: each.name, detail: `${kindWords(each.type).one}, ${countWords(each)} hashes`}))}
				value={list?.guid ?? null}
				onChange={choose}
				placeholder={t.chooseTheList}
				isRequired
			/>
			<NoChoices copy={copy} many="file lists" isNone={lists.length === 0 && copy.unlisted.length !== 0} />
			<TextField
				label={t.sha256}
				value={hash}
				onChange={setHash}
				mono
				isRequired
				autoFocus={!hasHash}
				maxLength={400}
				placeholder={t.n64HexadecimalDigits}
			/>
			<TextArea
				label={t.reason}
				value={reason}
				onChange={setReason}
				isRequired
				autoFocus={hasHash}
				rows={2}
				maxLength={255}
				description={t.becomesNote}
			/>
		</>
	)
}
