import {useQuery} from '@tanstack/react-query'
import {useMemo, useRef, useState} from 'react'

import type {CommandResult} from '#shared/commands/result.ts'
import type {ComputerDetail} from '#shared/contract/contract.ts'
import type {GroupNode, NamedReference} from '#shared/contract/directory.ts'
import type {Agreement} from '#shared/model/guard.ts'
import {requestedText, stepTitles} from '#shared/text/changes.ts'
import {useActiveConnection, useWriteRefusal, useConnected} from '../../api/active.tsx'
import {asCordonError} from '../../api/errors.ts'
import {useOperator} from '../../api/hooks.ts'
import {useAnnounce} from '../../ui/Announcer.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {EmptyState} from '../../ui/EmptyState.tsx'
import {ComboBox} from '../../ui/Select.tsx'
import {SkeletonLines} from '../../ui/Skeleton.tsx'
import {type StepLine, Steps} from '../../ui/Steps.tsx'
import {acceptedLine} from '../accepted.ts'
import {useGroups} from '../directory/use-directory.ts'
import {buttonWords} from '../effect.ts'
import {ConfirmButton} from '../guard/ConfirmButton.tsx'
import {GuardNotes} from '../guard/GuardNotes.tsx'
import {ReasonField} from '../guard/ReasonFields.tsx'
import {TypedConfirmation} from '../guard/TypedConfirmation.tsx'
import {type AgreementFields, useAgreement} from '../guard/use-agreement.ts'
import {type JudgementView, useJudgement, waitsForRules} from '../guard/use-judgement.ts'
import {RunNote} from '../RunNote.tsx'
import {TargetComputer} from '../TargetComputer.tsx'
import {t} from '../text.ts'
import {type Runner, useRun} from '../use-run.ts'
import {moveWords, pathsOf, targetsOf, whyNot} from './move-targets.ts'
import {MoveChange} from './MoveChange.tsx'
import {type Moved, type MoveRequest, undoOf} from './types.ts'

interface MoveComputerDialogProps {
	readonly request: MoveRequest
	readonly onClose: () => void
	/** The service accepted the move; the dialog stays open with its outcome. */
	readonly onMoved?: (moved: Moved) => void
	/** Opens the undo in its own dialog; without it, none is offered. */
	readonly onUndo?: (request: MoveRequest) => void
}

/**
 * Moves one computer into a group: shows before and after, sends one request, and tells its outcome. A key, a button or
 * dropping the computer on a group opens it; none of these sends anything.
 */
export function MoveComputerDialog(props: MoveComputerDialogProps) {
	const {request, onClose} = props
	const {queries, connection} = useConnected()
	const {guid, hostname} = request
	const {data, error} = useQuery(queries.computers.detail.queryOptions({input: {connection, guid}}))
	const {items: groups} = useGroups()
	if (data === undefined || groups === undefined || data === null) {
		const isGone = data === null || error !== null
		return (
			<Dialog title={t.move(hostname)} onClose={onClose}>
				{isGone ? (
					<EmptyState title={t.computerNotKnown}>{t.deletedElsewhere}</EmptyState>
				) : (
					<SkeletonLines lines={6} label={t.loadingTheComputer} />
				)}
			</Dialog>
		)
	}
	return <Move {...props} detail={data} groups={groups} />
}

interface MoveProps extends MoveComputerDialogProps {
	readonly detail: ComputerDetail
	readonly groups: readonly GroupNode[]
}

function Move({request, detail, groups, onClose, onMoved, onUndo}: MoveProps) {
	const connection = useActiveConnection()
	const writeRefusal = useWriteRefusal()
	const announce = useAnnounce()
	const paths = useMemo(() => pathsOf(groups), [groups])
	const [chosen, setChosen] = useState<string | null>(request.to ?? null)
	const move = useMove()
	const {row} = detail
	// The dialog keeps the group of its opening, because a refresh shows the state after the move.
	const [from] = useState({guid: row.groupGuid, name: row.groupName || 'no known group'})
	const [record] = useState(detail)
	const target = groups.find(group => group.guid === chosen)
	const isDone = move.accepted !== null
	const args = {connector_guid: request.guid, group_guid: target?.guid ?? ''}
	const judgement = useJudgement('svc_move_computer', args, target !== undefined && !isDone)
	const judged = judgement.answer?.judgement
	// A single move can be undone, so it needs no reason unless the rules require one.
	const needsReason = (judged?.tier ?? 0) >= 2
	const fields = useAgreement({needsReason})
	const isUnderWay = move.runner.state.kind === 'running' || (move.isChecking && !isDone)
	const title = moveWords(request, target)
	const send = async () => {
		const agreement = fields.submit(judged)
		if (target === undefined || agreement === null) return
		const to = {guid: target.guid, name: target.name}
		const moved = await move.send(request, {from, to}, agreement)
		if (moved === null) return
		announce(`The service has accepted it: ${request.hostname} is in ${target.name}`)
		onMoved?.(moved)
	}
	return (
		<Dialog
			title={title}
			onClose={onClose}
			tone="connection"
			footer={
				move.accepted === null ? (
					<>
						<Button onPress={onClose}>{t.cancel}</Button>
						<ConfirmButton
							judgement={judged}
							lock={writeRefusal}
							reason={isUnderWay ? t.requestInProgress : (whyNot(target, row.groupGuid) ?? waitsForRules(judgement))}
							onConfirm={() => void send()}
						>
							{buttonWords(title, connection)}
						</ConfirmButton>
					</>
				) : (
					<>
						{onUndo === undefined || request.undo !== undefined ? null : <Undo moved={move.accepted.moved} onUndo={onUndo} />}
						<Button tone="primary" onPress={onClose} autoFocus>
							{t.close}
						</Button>
					</>
				)
			}
		>
			<div className="stack">
				<TargetComputer detail={record} />
				{isDone || request.undo !== undefined ? null : (
					<TargetField groups={groups} paths={paths} given={request.to} chosen={chosen} onChoose={setChosen} />
				)}
				<MoveChange detail={record} from={paths.get(from.guid) ?? from.name} target={target} paths={paths} />
				{request.undo === undefined || isDone ? null : <p className="quiet">{t.beforeSending}</p>}
				{isDone ? null : (
					<Agreeing fields={fields} judgement={judgement} isChosen={target !== undefined} needsReason={needsReason} />
				)}
				{move.refused === null ? null : <Banner tone="bad">{move.refused}</Banner>}
				{isDone ? <MoveSteps move={move} /> : <RunNote runner={move.runner} />}
			</div>
		</Dialog>
	)
}

interface TargetFieldProps {
	readonly groups: readonly GroupNode[]
	readonly paths: ReadonlyMap<string, string>
	readonly given: string | undefined
	readonly chosen: string | null
	readonly onChoose: (guid: string | null) => void
}

function TargetField({groups, paths, given, chosen, onChoose}: TargetFieldProps) {
	const [typed, setTyped] = useState(() => paths.get(given ?? '') ?? '')
	return (
		<ComboBox
			label={t.toTheGroup}
			autoFocus={given === undefined}
			isRequired
			input={typed}
			onInput={text => {
				setTyped(text)
				onChoose(groups.find(({guid}) => paths.get(guid) === text)?.guid ?? null)
			}}
			onChoose={guid => {
				onChoose(guid)
				setTyped(paths.get(guid) ?? '')
			}}
			options={targetsOf(groups, paths, chosen === null ? typed : '')}
			placeholder={t.typePartOfName}
		/>
	)
}

interface AgreeingProps {
	readonly fields: AgreementFields
	readonly judgement: JudgementView
	readonly isChosen: boolean
	readonly needsReason: boolean
}

/** The guard rules' answer, and the fields that they require. */
function Agreeing({fields, judgement, isChosen, needsReason}: AgreeingProps) {
	return (
		<>
			{isChosen ? <GuardNotes view={judgement} /> : null}
			{needsReason ? <ReasonField fields={fields} description={t.keptInLog} /> : null}
			<TypedConfirmation view={judgement} fields={fields} />
		</>
	)
}

function Undo({moved, onUndo}: {moved: Moved; onUndo: (request: MoveRequest) => void}) {
	return (
		<Button aria-haspopup="dialog" onPress={() => onUndo(undoOf(moved))}>
			{t.undoMoveBack(moved.from.name)}
		</Button>
	)
}

/** Requested, accepted, confirmed; then the policy that the computer has after its next policy sync. */
function MoveSteps({move}: {move: MoveProgress}) {
	const {accepted, requestedAt, isChecking} = move
	const operator = useOperator()
	if (accepted === null) return null
	return (
		<>
			<Steps
				lines={[
					{title: stepTitles.requested, state: 'done', at: requestedAt, text: requestedText(operator, '')},
					acceptedLine(accepted.result, accepted.at),
					observation(move, accepted.moved.to),
				]}
			/>
			<span>
				<Button size="small" onPress={move.look} reason={isChecking ? t.loadingNow : null}>
					{t.checkAgain1}
				</Button>
			</span>
		</>
	)
}

function observation({observed}: MoveProgress, to: {readonly guid: string; readonly name: string}): StepLine {
	const line = {title: stepTitles.confirmed, at: observed?.at ?? null} as const
	if (observed === null) return {...line, state: 'waiting', text: 'refreshing the computer'}
	if (observed.detail === null) {
		const text = observed.problem ?? 'The service has no such computer any more.'
		return {...line, state: 'failed', text}
	}
	const {groupGuid, groupName, policyName} = observed.detail.row
	const policy = policyName === '' ? '' : `; its policy, as it last reported: ${policyName}`
	if (groupGuid === to.guid) return {...line, state: 'done', text: `in ${groupName}${policy}`}
	return {...line, state: 'failed', text: `in ${groupName}, not in ${to.name}: someone may have moved it again`}
}

interface MoveProgress {
	readonly runner: Runner
	readonly requestedAt: string | null
	readonly accepted: {readonly at: string; readonly result: CommandResult; readonly moved: Moved} | null
	/** The refresh after the service accepted the move. */
	readonly observed: {readonly at: string; readonly detail: ComputerDetail | null; readonly problem: string | null} | null
	/** Why nothing was sent, in a sentence. */
	readonly refused: string | null
	readonly isChecking: boolean
	send(
		request: MoveRequest,
		way: {readonly from: NamedReference; readonly to: NamedReference},
		agreement: Agreement,
	): Promise<Moved | null>
	look(): void
}

/** Sends one move, after a check where an undo needs one, and reads its outcome. */
function useMove(): MoveProgress {
	const {client, connection} = useConnected()
	const runner = useRun()
	const [requestedAt, setRequestedAt] = useState<string | null>(null)
	const [accepted, setAccepted] = useState<MoveProgress['accepted']>(null)
	const [observed, setObserved] = useState<MoveProgress['observed']>(null)
	const [refused, setRefused] = useState<string | null>(null)
	const [isChecking, setChecking] = useState(false)
	const guid = useRef('')

	const look = async () => {
		setChecking(true)
		const seen = await client.computers.refreshOne({connection, guid: guid.current}).then(
			detail => ({detail, problem: null}),
			(error: unknown) => ({detail: null, problem: asCordonError(error).message}),
		)
		setChecking(false)
		setObserved({at: new Date().toISOString(), ...seen})
	}
	/** A computer that someone else moved meanwhile stays where it is. */
	const check = async ({undo, hostname}: MoveRequest): Promise<string | null> => {
		if (undo === undefined) return null
		setChecking(true)
		try {
			const now = await client.computers.refreshOne({connection, guid: guid.current})
			if (now === null) return `The service has no ${hostname} any more. Nothing was sent.`
			const {groupGuid, groupName} = now.row
			if (groupGuid === undo.to.guid) return null
			return `${hostname} is no longer in ${undo.to.name}: someone has moved it to ${groupName}. Nothing was sent.`
		} catch (error) {
			return `Could not load the current group of ${hostname}. Nothing was sent: ${asCordonError(error).message}`
		} finally {
			setChecking(false)
		}
	}
	const send: MoveProgress['send'] = async (request, {from, to}, agreement) => {
		guid.current = request.guid
		const refusal = await check(request)
		setRefused(refusal)
		if (refusal !== null) return null
		setRequestedAt(new Date().toISOString())
		const args = {connector_guid: request.guid, group_guid: to.guid}
		const result = await runner.run({name: 'svc_move_computer', args, agreement})
		if (result === null) return null
		const at = new Date().toISOString()
		const moved: Moved = {guid: request.guid, hostname: request.hostname, from, to, at}
		setAccepted({at, result, moved})
		void look()
		return moved
	}
	return {...{runner, requestedAt, accepted, observed, refused, isChecking, send}, look: () => void look()}
}
