import {useQuery} from '@tanstack/react-query'
import {useState} from 'react'

import type {Approval} from '#model/approval.ts'
import {formatLeft} from '#text/durations.ts'

import {useApi, useCall} from '#api/hooks.tsx'
import {Failure} from '#commands/Failure.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {useFromNow, Time} from '#ui/Time.tsx'
import {CodeView, KeyValue, type Fact, fact} from '#ui/Facts.tsx'
import {Disclosure} from '#ui/Disclosure.tsx'
import {saveText} from '#ui/save.ts'
import {SkeletonLines} from '#ui/States.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Card} from '#ui/Screen.tsx'
import {t} from './text.ts'
import {answerWords, approversOf, detailFacts, states} from './words.ts'

export type Act = 'approved' | 'denied' | 'edit' | 'withdraw'

interface WaitingProps {
	approval: Approval
	onAct: (act: Act) => void
}

/** A waiting approval: its exact content, who asked, who answers, and the time left. */
export function WaitingCard({approval, onAct}: WaitingProps) {
	const {title, state, kind, replaces, run} = approval
	return (
		<Card title={title} aside={<Tag tone={states[state].tone}>{states[state].word}</Tag>}>
			<div className="stack">
				<Facts approval={approval} />
				{replaces !== null && <p className="quiet">{t.replacesAnother}</p>}
				{kind !== 'plan' && <Content approval={approval} />}
				{(state === 'pending' || run === null) && <Acts approval={approval} onAct={onAct} />}
			</div>
		</Card>
	)
}

export function Facts({approval}: {approval: Approval}) {
	const {connection, requester, requestedAt, reason, details, digest, answers, expiresAt} = approval
	return (
		<KeyValue
			facts={[
				fact(t.connection, `${connection.name} (${connection.url})`),
				...detailFacts(details),
				fact(
					t.requestedBy,
					<>
						{requester} <Time at={requestedAt} />
					</>
				),
				reason !== null && fact(t.reason, reason),
				fact(t.approvers, approversOf(approval)),
				...answers.map((one, index): Fact => fact(`${t.answers} ${index + 1}`, answerWords(one))),
				fact(t.timeLeft, <Left until={expiresAt} />),
				fact(t.digest, digest, 'mono')
			]}
		/>
	)
}

function Left({until}: {until: string}) {
	return <time dateTime={until}>{useFromNow(now => formatLeft(Date.parse(until) - now))}</time>
}

/** The content whose digest is signed, as in the file for other computers. */
export function useContent({id, kind}: Approval, enabled: boolean) {
	const {queries} = useApi()
	return useQuery({
		...queries.approvals.file.queryOptions({input: {id}}),
		enabled: enabled && kind !== 'plan',
		select: ({text}) => (JSON.parse(text) as {content: unknown}).content // written by `approvalFile`
	})
}

function Content({approval}: {approval: Approval}) {
	const [isOpen, setOpen] = useState(false)
	const {data, error} = useContent(approval, isOpen)
	return (
		<Disclosure title={t.exactContent} isOpen={isOpen} onToggle={setOpen}>
			{error !== null ? (
				error.message
			) : data === undefined ? (
				<SkeletonLines lines={3} label={t.loadingContent} />
			) : (
				<CodeView value={data} label={t.exactContent} />
			)}
		</Disclosure>
	)
}

/** What is approved and waits for a busy target can be withdrawn. */
function Acts({approval: {id, title, kind, run, state}, onAct}: WaitingProps) {
	const save = useCall(client => client.approvals.file({id}), {onSuccess: saveText})
	const withdraw = (
		<Button onPress={() => onAct('withdraw')} opens aria-label={t.withdrawTitle(title)}>
			{t.withdrawMore}
		</Button>
	)
	if (state === 'approved') return <div className="cluster">{withdraw}</div>
	return (
		<div className="cluster">
			<Button tone="primary" onPress={() => onAct('approved')} opens aria-label={t.approveTitle(title)}>
				{t.approveMore}
			</Button>
			<Button onPress={() => onAct('denied')} opens aria-label={t.denyTitle(title)}>
				{t.denyMore}
			</Button>
			{kind === 'change' && run === null && (
				<Button onPress={() => onAct('edit')} opens aria-label={t.editTitle(title)}>
					{t.editMore}
				</Button>
			)}
			{withdraw}
			{kind !== 'plan' && <Button onPress={() => save.mutate()}>{t.saveRequest}</Button>}
			{run !== null && <Link href={`/playbooks/${run.id}`}>{t.thisIsRun}</Link>}
			<Failure error={save.error} />
		</div>
	)
}
