import {useState} from 'react'

import {findCommand} from '#shared/commands/catalogue.ts'
import type {Approval, KeyView} from '#model/approval.ts'
import {formatCount} from '#text/numbers.ts'
import {useAsked, useCall} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Failure} from '#commands/Failure.tsx'
import {TenantMark} from '#commands/TenantMark.tsx'
import {Banner, EmptyState, Loaded, SkeletonLines} from '#ui/States.tsx'
import {Button, CopyButton, Link, FileButton} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {PlainTable, tableRow} from '#ui/Facts.tsx'
import {Screen, ScreenBar} from '#ui/Screen.tsx'
import {Tag} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {cx} from '#ui/cx.ts'
import {AnswerDialog} from './AnswerDialog.tsx'
import styles from './approvals.module.css'
import {CreateKeyDialog, RevokeKeyDialog, TrustKeyDialog} from './KeyDialogs.tsx'
import {t} from './text.ts'
import {type Act, useContent, WaitingCard} from './WaitingCard.tsx'
import {answerWords, states, type Told, toldOf, waits} from './words.ts'

const shownEnded = 100

export function ApprovalsScreen() {
	const list = useAsked(q => q.approvals.list, {input: {all: true}, staleTime: 0})
	const [chosen, setChosen] = useState<{act: Act; approval: Approval} | null>(null)
	const [told, setTold] = useState<Told | null>(null)
	const close = (outcome?: Told) => {
		setChosen(null)
		if (outcome !== undefined) setTold(outcome)
		void list.refetch()
	}
	const waiting = list.data?.filter(waits) ?? []
	return (
		<Screen>
			<ScreenBar title={t.approvals} facts={list.data && <span>{formatCount(waiting.length)}</span>}>
				<SignatureButton onRead={() => setTold(null)} onTaken={close} />
			</ScreenBar>
			<div className={cx('scroll', styles.screen)}>
				{told !== null && <Banner tone={told.tone}>{told.text}</Banner>}
				<Loaded of={list} title={t.couldNotLoadApprovals} lines={6} label={t.approvals}>
					{() =>
						waiting.length === 0 ? (
							<EmptyState title={t.nothingWaits}>{t.whatWaits}</EmptyState>
						) : (
							waiting.map(one => <WaitingCard key={one.id} approval={one} onAct={act => setChosen({act, approval: one})} />)
						)
					}
				</Loaded>
				<KeysPart />
				<h2>{t.ended}</h2>
				{list.data !== undefined && <Ended rows={list.data.filter(one => !waits(one))} />}
			</div>
			{chosen === null ? null : chosen.act === 'edit' ? (
				<EditDialog approval={chosen.approval} onClose={close} />
			) : (
				<AnswerDialog act={chosen.act} approval={chosen.approval} onClose={close} />
			)}
		</Screen>
	)
}

function SignatureButton({onRead, onTaken}: {onRead: () => void; onTaken: (outcome: Told) => void}) {
	const take = useCall((client, text: string) => client.approvals.accept({text}), {
		onSuccess: approval => onTaken(approval === null ? {tone: 'info', text: t.signatureKept} : toldOf(approval)),
		onError: error => onTaken({tone: 'bad', text: error.message})
	})
	return (
		<FileButton
			label={t.takeSignature}
			accept=".json,.sig,application/json"
			onFile={async file => {
				onRead()
				take.mutate(await file.text())
			}}
		>
			{t.takeSignature}
		</FileButton>
	)
}

function Ended({rows}: {rows: readonly Approval[]}) {
	if (rows.length === 0) return <p className="quiet">{t.noneEnded}</p>
	const isCut = rows.length > shownEnded
	return (
		<PlainTable
			columns={[t.what, t.connection, t.state, t.requestedBy, t.answers, t.outcome]}
			{...(isCut && {caption: t.newestEnded(shownEnded)})}
		>
			{rows.slice(0, shownEnded).map(({id, title, connection, state, requester, requestedAt, answers, outcome, run}) => (
				<tr key={id}>
					<th scope="row" className={styles.wrap}>
						{run === null ? title : <Link href={`/playbooks/${run.id}`}>{title}</Link>}
					</th>
					<td>
						<TenantMark tenant={connection} />
					</td>
					<td>
						<Tag tone={states[state].tone}>{states[state].word}</Tag>
					</td>
					<td>
						{requester} <Time at={requestedAt} />
					</td>
					<td className={styles.wrap}>
						{answers.map(one => (
							<div key={`${one.at} ${one.by}`}>
								{answerWords(one)} <Time at={one.at} />
							</div>
						))}
					</td>
					<td className={styles.wrap}>{outcome}</td>
				</tr>
			))}
		</PlainTable>
	)
}

/** Other arguments have another digest, so the former request is withdrawn and the edited one requested. */
function EditDialog({approval, onClose}: {approval: Approval; onClose: (outcome?: Told) => void}) {
	const content = useContent(approval, true)
	const [edits, setEdits] = useState<Readonly<Record<string, string>>>({})
	const args = argsOf(content.data)
	const isEdited = Object.entries(edits).some(([name, value]) => value !== args[name])
	return (
		<ActDialog
			title={t.editTitle(approval.title)}
			act={t.replaceNow}
			work={client => client.approvals.edit({id: approval.id, args: {...edits}})}
			missing={isEdited ? null : t.nothingEdited}
			onDone={made => onClose(toldOf(made))}
			tells={field => Object.hasOwn(args, field ?? '')}
			onClose={() => onClose()}
		>
			{({error}) => (
				<>
					<p className="quiet">{t.editNote}</p>
					{content.isPending && <SkeletonLines lines={3} label={t.loadingContent} />}
					{Object.entries(args).map(([name, value], index) => (
						<TextField
							key={name}
							label={name}
							value={edits[name] ?? value}
							onChange={text => setEdits(old => ({...old, [name]: text}))}
							error={error?.details.field === name ? error.message : null}
							autoFocus={index === 0}
						/>
					))}
					<Failure error={content.error} />
				</>
			)}
		</ActDialog>
	)
}

/** The command's arguments, without secrets, which no approval contains. */
function argsOf(content: unknown): Readonly<Record<string, string>> {
	// Safe: `changeProposal` wrote the content.
	const {command = '', args = {}} = (content ?? {}) as {command?: string; args?: Readonly<Record<string, unknown>>}
	const names = Object.entries(findCommand(command)?.args ?? {}).flatMap(([name, {secret}]) => (secret ? [] : [name]))
	return Object.fromEntries(names.map(name => [name, typeof args[name] === 'string' ? args[name] : (JSON.stringify(args[name]) ?? '')]))
}

type Shown = {kind: 'create' | 'add'} | {kind: 'trust' | 'revoke'; key: KeyView}

function KeysPart() {
	const keys = useAsked(q => q.approvals.keys)
	const [shown, setShown] = useState<Shown | null>(null)
	const close = () => {
		setShown(null)
		void keys.refetch()
	}
	return (
		<section className="stack" aria-label={t.keys}>
			<div className="cluster">
				<h2>{t.keys}</h2>
				<Button small onPress={() => setShown({kind: 'create'})} opens>
					{t.createKeyMore}
				</Button>
				<Button small onPress={() => setShown({kind: 'add'})} opens>
					{t.addKeyMore}
				</Button>
			</div>
			<Loaded of={keys} label={t.keys}>
				{all => (
					<>
						<p className="quiet">{all.length === 0 ? t.noKeys : t.keysNote}</p>
						{all.length !== 0 && <KeyTable keys={all} onAct={(kind, key) => setShown({kind, key})} />}
					</>
				)}
			</Loaded>
			{shown?.kind === 'create' && <CreateKeyDialog onClose={close} />}
			{shown?.kind === 'add' && <TrustKeyDialog known={null} onClose={close} />}
			{shown?.kind === 'trust' && <TrustKeyDialog known={shown.key} onClose={close} />}
			{shown?.kind === 'revoke' && <RevokeKeyDialog known={shown.key} onClose={close} />}
		</section>
	)
}

function KeyTable({keys, onAct}: {keys: readonly KeyView[]; onAct: (act: 'trust' | 'revoke', key: KeyView) => void}) {
	return (
		<PlainTable columns={[t.person, t.usedFor, t.groups, t.signWith, t.state]}>
			{keys.map(key =>
				tableRow(
					`${key.origin} ${key.id} ${key.use}`,
					key.name,
					key.use === 'approve' ? t.useApprove : t.usePublish,
					key.groups.join(', '),
					<span className="cluster">
						<code>{key.id.slice(0, 16)}</code> <CopyButton text={key.publicKey} what={t.copyPublicKey} />
					</span>,
					<KeyTags of={key} />,
					key.origin === 'managed' || key.revokedAt !== null ? null : (
						<span className="cluster">
							{!key.trusted && (
								<Button small onPress={() => onAct('trust', key)} opens aria-label={t.trustNamed(key.name)}>
									{t.trustMore}
								</Button>
							)}
							<Button small onPress={() => onAct('revoke', key)} opens aria-label={t.revokeNamed(key.name)}>
								{t.revokeMore}
							</Button>
						</span>
					)
				)
			)}
		</PlainTable>
	)
}

function KeyTags({of: {trusted, revokedAt, own, origin}}: {of: KeyView}) {
	return (
		<>
			{revokedAt !== null ? (
				<Tag tone="bad">{t.revoked}</Tag>
			) : trusted ? (
				<Tag tone="ok">{t.trusted}</Tag>
			) : (
				<Tag tone="warn">{t.notTrusted}</Tag>
			)}{' '}
			{own && <Tag>{t.ownKey}</Tag>} {origin === 'managed' && <Tag>{t.managed}</Tag>}
		</>
	)
}
