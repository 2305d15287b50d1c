import {useState} from 'react'

import {hasCode} from '#contract/errors.ts'
import type {PlaybookQuestion} from '#model/playbook.ts'
import {useCall} from '#api/hooks.tsx'
import type {Client} from '#api/wire.ts'
import {Failure} from '#commands/Failure.tsx'
import {Banner} from '#ui/States.tsx'
import {Button, Link} from '#ui/Button.tsx'
import {TextField} from '#ui/Field.tsx'
import {keepFocus} from '#ui/list-of-screen.ts'
import {t} from './text.ts'

export type Failed = {step: string; error: Error} | null

interface PartProps {
	run: string
	onChange: () => Promise<unknown>
	onFailed: (failed: Failed) => void
}

export type Acting = (playbooks: Client['playbooks']) => Promise<unknown>

/** The failure of a question or a failed step stands beside it. */
export function useActing(onChange: PartProps['onChange'], step = '', onFailed?: PartProps['onFailed']) {
	return useCall((client, work: Acting) => work(client.playbooks), {
		onMutate: () => onFailed?.(null),
		// What was not sent is over with its question.
		onError: error => onFailed?.(hasCode(error, 'reset') ? null : {step, error}),
		onSettled: async () => {
			// Until then its question is still there.
			await onChange()
			// The pressed button may be gone.
			setTimeout(keepFocus, 50)
		}
	})
}

interface QuestionProps extends PartProps {
	question: PlaybookQuestion
}

export function Question({run, question: {step, name, question, free, approval}, onChange, onFailed}: QuestionProps) {
	const [text, setText] = useState('')
	const act = useActing(onChange, step, onFailed)
	const busy = act.isPending ? t.inProgress : null
	const answer = (given: string) => act.mutate(playbooks => playbooks.answer({run, step, answer: given, reason: null}))
	return (
		<section className="stack" aria-label={t.questionOf(name)}>
			<Banner tone="warning">{question}</Banner>
			<div className="fields">
				{free && (
					<>
						<TextField label={t.answer} value={text} onChange={setText} />
						<Button tone="primary" onPress={() => answer(text)} reason={busy ?? (text.trim() === '' ? t.missing(t.answer) : null)}>
							{t.answer}
						</Button>
					</>
				)}
				{approval !== null && <Link href="/approvals">{t.toApprovals}</Link>}
				{!free && approval === null && (
					<>
						<Button tone="primary" onPress={() => answer('yes')} reason={busy}>
							{t.yesToIt}
						</Button>
						<Button onPress={() => answer('no')} reason={busy}>
							{t.noToIt}
						</Button>
					</>
				)}
			</div>
			<Failure error={act.error} />
		</section>
	)
}

interface FailedStepProps extends PartProps {
	step: string
	name: string
}

export function FailedStep({run, step, name, onChange, onFailed}: FailedStepProps) {
	const act = useActing(onChange, step, onFailed)
	const busy = act.isPending ? t.inProgress : null
	const [reason, setReason] = useState('')
	return (
		<div className="fields" role="group" aria-label={t.failedStep(name)}>
			<strong>{name}</strong>
			<Button tone="primary" onPress={() => act.mutate(playbooks => playbooks.retry({run, step}))} reason={busy}>
				{t.retryStep}
			</Button>
			<TextField label={t.reasonForSkipping} value={reason} onChange={setReason} />
			<Button
				onPress={() => act.mutate(playbooks => playbooks.skip({run, step, reason}))}
				reason={busy ?? (reason.trim() === '' ? t.missing(t.reasonForSkipping) : null)}
			>
				{t.skipStep}
			</Button>
			<Failure error={act.error} />
		</div>
	)
}
