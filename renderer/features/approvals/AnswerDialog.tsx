import {useState} from 'react'

import {isAsker, personOf, type Approval, type KeyView} from '#model/approval.ts'

import {useApi, useAsked} from '#api/hooks.tsx'
import {ActDialog} from '#commands/ActDialog.tsx'
import {Banner, Loaded} from '#ui/States.tsx'
import {TextField} from '#ui/Field.tsx'
import {Select} from '#ui/Select.tsx'
import {t} from './text.ts'
import {Facts, type Act} from './WaitingCard.tsx'
import {type Told, toldOf} from './words.ts'

type Answer = Exclude<Act, 'edit'>

const words: Readonly<Record<Answer, {title: (title: string) => string; act: string; tone: 'primary' | 'danger'}>> = {
	approved: {title: t.approveTitle, act: t.approveNow, tone: 'primary'},
	denied: {title: t.denyTitle, act: t.denyNow, tone: 'danger'},
	withdraw: {title: t.withdrawTitle, act: t.withdrawNow, tone: 'danger'}
}

/** Shows the approval once more; the passphrase opens the key that signs it. */
export function AnswerDialog({act, approval, onClose}: {act: Answer; approval: Approval; onClose: (outcome?: Told) => void}) {
	const {client} = useApi()
	const keys = useAsked(q => q.approvals.keys)
	const choices = choicesOf(act, approval, keys.data ?? [])
	const [chosen, setKey] = useState<string | null>(null)
	const [passphrase, setPassphrase] = useState('')
	const [reason, setReason] = useState('')
	const key = chosen ?? choices[0]?.value ?? null
	const signs = key !== null && key !== ''
	const answer = () =>
		act === 'withdraw'
			? client.approvals.withdraw({id: approval.id, reason})
			: client.approvals.answer({
					...{id: approval.id, digest: approval.digest, verdict: act, reason: reason.trim() === '' ? null : reason},
					...(signs && {key: {name: key, passphrase}})
				})
	const missing =
		key === null
			? keys.data === undefined
				? t.loadingNow
				: t.noKeyFits
			: signs && passphrase === ''
				? t.passphraseMissing
				: act === 'withdraw' && reason.trim() === ''
					? t.reasonMissing
					: null
	return (
		<ActDialog
			{...words[act]}
			title={words[act].title(approval.title)}
			work={answer}
			missing={missing}
			busy={t.answering}
			onDone={done => onClose(toldOf(done))}
			tells={field => field === 'passphrase'}
			onClose={() => onClose()}
		>
			{({error}) => (
				<>
					<Facts approval={approval} />
					{choices.length === 0 && <Loaded of={keys}>{() => <Banner tone="warning">{t.noKeyFits}</Banner>}</Loaded>}
					{act !== 'withdraw' && choices.length !== 0 && <Select label={t.signWith} options={choices} value={key} onChange={setKey} />}
					{signs && (
						<TextField
							label={t.passphrase}
							type="password"
							value={passphrase}
							onChange={setPassphrase}
							error={error?.details.field === 'passphrase' ? error.message : null}
							autoComplete="off"
							autoFocus
						/>
					)}
					<TextField label={t.reason} value={reason} onChange={setReason} maxLength={2000} autoFocus={!signs} />
					{act === 'approved' && <p className="quiet">{t.carriedOut}</p>}
				</>
			)}
		</ActDialog>
	)
}

/** Keys by ID; the empty one is an answer without a key. Omits what the core would refuse. */
function choicesOf(act: Answer, approval: Approval, keys: readonly KeyView[]) {
	const {groups, requesterMay, needed, answers} = approval
	const isOut = (name: string) =>
		(!requesterMay && isAsker(approval, name)) || answers.some(({verdict, by}) => verdict === 'approved' && personOf(by) === personOf(name))
	const trusted = new Set(keys.flatMap(({id, use, trusted: counts}) => (use === 'approve' && counts ? [id] : [])))
	const own = keys.filter(({id, use, own: isOwn}) => isOwn && use === 'approve' && trusted.has(id))
	const groupsOf = (id: string) => keys.flatMap(one => (one.id === id && one.trusted ? one.groups : []))
	const fitting = own.filter(
		({id, name}) =>
			act !== 'approved' || (!isOut(name) && (groups.length === 0 || groupsOf(id).some(one => groups.map(personOf).includes(personOf(one)))))
	)
	const bare = act !== 'approved' || (requesterMay && needed === 1) ? [{value: '', label: t.withoutKey}] : []
	return [...bare, ...fitting.map(({id, name}) => ({value: id, label: name, detail: id.slice(0, 16)}))]
}
